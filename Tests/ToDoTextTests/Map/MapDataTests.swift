import Testing
import ToDoModel

@testable import ToDoText

@Suite struct MapDataTests {
  /// A border from (1.00 E, 0.50 S) to (0.36 E, 0.50 S) in the documented layout.
  private static let sample: [UInt8] = Array("MAP1".utf8) + [1, 2 << 1 | 1, 0xC8, 0x01, 0x63, 0x7F, 0x00]

  @Test func decode_readsDocumentedLayout() throws {
    let points = try [1.0, 0.36].map { try #require(Coordinate(latitude: -0.5, longitude: $0)) }
    #expect(try MapData.decode(Self.sample) == [MapLine(kind: .border, points: points)])
    #expect(try MapData.decode(Array("MAP1".utf8) + [0]) == [])
  }

  @Test(arguments: 0..<sample.count)
  func decode_whenTruncated_throws(length: Int) {
    #expect(throws: MapDataError.malformed) { try MapData.decode(Array(Self.sample.prefix(length))) }
  }

  /// Malformed data after "MAP1".
  private static let malformed: [[UInt8]] = [
    // A trailing byte.
    [1, 2 << 1 | 1, 0xC8, 0x01, 0x63, 0x7F, 0x00, 0],
    // More lines than bytes, more points than bytes, and a number that does not end.
    [0xFF, 0xFF, 0xFF, 0x7F], [1, 0xFE, 0xFF, 0xFF, 0x7F, 0, 0], [0x80, 0x80, 0x80, 0x80, 0x00],
    // 180.01 degrees east, then 90.01 degrees north.
    [1, 2, 0xA2, 0x99, 0x02, 0x00], [1, 2, 0x00, 0xD2, 0x8C, 0x01],
  ]

  @Test(arguments: malformed)
  func decode_whenMalformed_throws(bytes: [UInt8]) {
    #expect(throws: MapDataError.malformed) { try MapData.decode(Array("MAP1".utf8) + bytes) }
  }

  @Test func decode_whenVersionDiffers_throws() {
    #expect(throws: MapDataError.malformed) { try MapData.decode(Array("MAP2".utf8) + [0]) }
  }

  /// Mutated data is either decoded and drawn, or rejected.
  @Test func decode_whenMutated_neverCrashes() throws {
    let world = MapData.encodedWorld()
    var random = SplitMix64(state: 42)
    let frame = MapFrame(
      around: try #require(Coordinate(latitude: 48, longitude: 11)), width: 600, columns: 20, rows: 5)
    var rejected = 0
    for _ in 0..<25 {
      var bytes = world
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        let lines = try MapData.decode(bytes)
        #expect(MapDrawing.canvas(of: lines.filter { $0.kind == .border }, in: frame).dotCount <= 800)
      } catch {
        rejected += 1
      }
    }
    #expect(rejected > 0)
  }

  @Test func world_containsCoastsAndBorders() throws {
    let lines = try MapData.world()
    #expect(lines.filter { $0.kind == .coast }.count > 100)
    #expect(lines.filter { $0.kind == .border }.count > 200)
    #expect(lines.allSatisfy { $0.points.count >= 2 })
    // The data contains no lines along the antimeridian.
    for line in lines {
      for (start, end) in zip(line.points, line.points.dropFirst()) {
        #expect(abs(start.longitude - end.longitude) < 15)
        #expect(!(start.longitude.magnitude == 180 && end.longitude.magnitude == 180))
      }
    }
  }
}

/// A deterministic generator, from Steele, Lea and Flood, "Fast splittable pseudorandom number generators".
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
