import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoStores

@Suite struct MortonCodeTests {
  private static let corners: [(Double, Double, Int64)] = [
    (-90, -180, 0), (0, 0, 0x3000_0000_0000_0000), (-0.0, -0.0, 0x3000_0000_0000_0000),
    (-90, 180, 0x2AAA_AAAA_AAAA_AAAA), (90, -180, 0x1555_5555_5555_5555), (90, 180, 0x3FFF_FFFF_FFFF_FFFF),
    (-90, 0, 0x2000_0000_0000_0000), (0, -180, 0x1000_0000_0000_0000),
  ]

  @Test(arguments: corners)
  func code_ofACorner_isItsBitsInTurn(_ latitude: Double, _ longitude: Double, _ number: Int64) throws {
    let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
    #expect(MortonCode(coordinate).number == number)
  }

  @Test func center_isNearEveryPointWithTheCode() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let coordinate = Coordinate.random(using: &random)
      let code = MortonCode(coordinate)
      #expect(coordinate.distance(to: code.center) < 0.02)
      #expect(MortonCode(code.center) == code)
      // The distance from any point, even on the other side of the Earth, changes by less than the precision.
      let antipode = Coordinate(
        latitude: -coordinate.latitude,
        longitude: coordinate.longitude > 0 ? coordinate.longitude - 180 : coordinate.longitude + 180)
      for point in [antipode ?? coordinate, .random(using: &random)] {
        let difference = point.distance(to: coordinate) - point.distance(to: code.center)
        #expect(difference.magnitude < MortonCode.precision)
      }
    }
  }

  @Test func ranges_ofABox_containEveryPointInOrderWithinTheLimit() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<2_000 {
      let box = CoordinateBox.random(using: &random)
      let count = [1, 2, 3, 8, 16].randomElement(using: &random) ?? 1
      let ranges = MortonCode.ranges(covering: [box], atMost: count)
      #expect((1...count).contains(ranges.count))
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound })
      for _ in 0..<20 { #expect(ranges.hold(.random(in: box, using: &random))) }
      for latitude in [box.latitudes.lowerBound, box.latitudes.upperBound] {
        for longitude in [box.longitudes.lowerBound, box.longitudes.upperBound] {
          #expect(ranges.hold(Coordinate(latitude: latitude, longitude: longitude)))
        }
      }
    }
  }

  @Test func ranges_ofTheEarth_areOne() {
    let earth = CoordinateBox(latitudes: Coordinate.latitudes, longitudes: Coordinate.longitudes)
    let last: Int64 = (1 << 62) - 1
    #expect(MortonCode.ranges(covering: [earth], atMost: 16) == [0...last])
  }

  @Test func ranges_ofAPoint_areItsCode() {
    var random = SeededGenerator(seed: 3)
    for point in (0..<100).map({ _ in Coordinate.random(using: &random) }) {
      let box = CoordinateBox(
        latitudes: point.latitude...point.latitude, longitudes: point.longitude...point.longitude)
      let code = MortonCode(point).number
      #expect(MortonCode.ranges(covering: [box], atMost: 16) == [code...code])
    }
  }

  @Test func ranges_whenBoxesTouchOrOverlap_containBothWithoutOverlap() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<500 {
      let boxes = [CoordinateBox.random(using: &random), .random(using: &random)]
      let ranges = MortonCode.ranges(covering: boxes, atMost: 16)
      #expect((1...16).contains(ranges.count))
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound })
      for box in boxes { for _ in 0..<20 { #expect(ranges.hold(.random(in: box, using: &random))) } }
    }
  }

  @Test func ranges_ofASquare_coverLittleMoreAnywhere() {
    var random = SeededGenerator(seed: 5)
    var excess: [Double] = []
    for _ in 0..<1_000 {
      let center = Coordinate.random(using: &random)
      let radius = Double.random(in: 100...1_000_000, using: &random)
      let boxes = CoordinateBox.boxes(around: center, radius: radius)
      let wanted = boxes.map(\.partCount).reduce(0, +)
      let covered = MortonCode.ranges(covering: boxes, atMost: 16).map { Double($0.upperBound - $0.lowerBound) + 1 }
      excess.append(covered.reduce(0, +) / wanted)
    }
    excess.sort()
    #expect(excess[excess.count / 2] < 1.3)
    #expect(excess[excess.count - 1] < 4)
  }
}

extension [ClosedRange<Int64>] {
  fileprivate func hold(_ coordinate: Coordinate?) -> Bool {
    guard let coordinate else { return false }
    let code = MortonCode(coordinate).number
    return contains { $0.contains(code) }
  }
}

extension Coordinate {
  fileprivate static func random(using random: inout SeededGenerator) -> Coordinate {
    self.random(in: CoordinateBox(latitudes: latitudes, longitudes: longitudes), using: &random)
  }

  fileprivate static func random(in box: CoordinateBox, using random: inout SeededGenerator) -> Coordinate {
    let coordinate = Coordinate(
      latitude: .random(in: box.latitudes, using: &random), longitude: .random(in: box.longitudes, using: &random))
    guard let coordinate else { preconditionFailure("a box is within the degrees") }
    return coordinate
  }
}

extension CoordinateBox {
  /// A box of any size, often at an edge or across the lines where the first bits of codes change.
  fileprivate static func random(using random: inout SeededGenerator) -> CoordinateBox {
    CoordinateBox(
      latitudes: range(in: Coordinate.latitudes, using: &random),
      longitudes: range(in: Coordinate.longitudes, using: &random))
  }

  private static func range(in all: ClosedRange<Double>, using random: inout SeededGenerator) -> ClosedRange<Double> {
    let size = all.upperBound * ([1, 0.1, 1e-3, 1e-6, 1e-10].randomElement(using: &random) ?? 1)
    let starts = [all.lowerBound, all.upperBound, 0, .random(in: all, using: &random)]
    let start = starts.randomElement(using: &random) ?? 0
    let end = start + .random(in: -size...size, using: &random)
    return (min(start, end)...max(start, end)).clamped(to: all)
  }

  /// The area of the box in codes.
  fileprivate var partCount: Double {
    let rows = MortonCode.row(latitudes.upperBound) - MortonCode.row(latitudes.lowerBound) + 1
    let columns = MortonCode.column(longitudes.upperBound) - MortonCode.column(longitudes.lowerBound) + 1
    return Double(rows) * Double(columns)
  }
}
