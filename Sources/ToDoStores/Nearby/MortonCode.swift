package import ToDoModel
package import ToDoRules

/// A point of the Earth as one number. Points that are near each other mostly have numbers that are near each other.
///
/// The latitudes and the longitudes are each divided into 2^31 equal parts, about 1 cm and 2 cm wide. The code interleaves the
/// bits of the two part numbers, longitude first (a Z-order, or Morton, code). Each cell on the repeatedly halved Earth is
/// one range of codes.
///
/// Codes are stored, and `Migration.placeCodes` computes the same codes with the same steps. Neither may change alone.
package struct MortonCode: Equatable, Sendable {
  /// The code, which is not negative.
  package let number: Int64

  /// Creates a code from its number.
  package init(number: Int64) {
    self.number = number
  }

  /// Creates the code of a point.
  package init(_ coordinate: Coordinate) {
    number = Int64(Self.spread(Self.row(coordinate.latitude)) | Self.spread(Self.column(coordinate.longitude)) << 1)
  }

  /// The center of the cell with this code. Every point in the cell is less than `precision` away from it.
  package var center: Coordinate {
    let bits = UInt64(bitPattern: number)
    let (row, column) = (Self.gather(bits), Self.gather(bits >> 1))
    let center = Coordinate(
      latitude: (Double(row) + 0.5) / Double(Self.partCount) * 180 - 90,
      longitude: (Double(column) + 0.5) / Double(Self.partCount) * 360 - 180)
    guard let center else { preconditionFailure("every part is within the degrees") }
    return center
  }

  /// The maximum error of a distance that is computed from codes, in meters. Most of it is the rounding error of distances
  /// between points on opposite sides of the Earth.
  package static let precision = 1.0

  /// The number of parts into which the latitudes are divided, as are the longitudes: 31 bits each.
  static let partCount: UInt64 = 1 << 31

  /// Returns the part of a latitude. The function is monotonic.
  static func row(_ latitude: Double) -> UInt64 { part((latitude + 90) / 180) }

  /// Returns the part of a longitude. The function is monotonic.
  static func column(_ longitude: Double) -> UInt64 { part((longitude + 180) / 360) }

  private static func part(_ fraction: Double) -> UInt64 {
    min(UInt64(max(0, fraction * Double(partCount))), partCount - 1)
  }

  /// Moves bit n of 31 to bit 2n.
  private static func spread(_ bits: UInt64) -> UInt64 {
    var bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333
    return (bits | bits << 1) & 0x5555_5555_5555_5555
  }

  /// Moves bit 2n to bit n, and discards the odd bits.
  private static func gather(_ bits: UInt64) -> UInt64 {
    var bits = bits & 0x5555_5555_5555_5555
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
    return (bits | bits >> 16) & 0x0000_0000_7FFF_FFFF
  }
}

extension MortonCode {
  /// Returns at most `count` ranges of codes that contain every point of the boxes and little else, in order, with a gap
  /// between two ranges.
  package static func ranges(covering boxes: [CoordinateBox], atMost count: Int) -> [ClosedRange<Int64>] {
    let areas = boxes.map { PlaceArea($0) }
    var blocks = [PlaceBlock.earth]
    // Divides until there are more blocks than ranges, so that the smallest gaps can be closed.
    while blocks.count <= 3 * count, !blocks.allSatisfy(\.isWhole) {
      var parts: [PlaceBlock] = []
      parts.reserveCapacity(2 * blocks.count)
      for block in blocks { block.appendParts(in: areas, to: &parts) }
      blocks = parts
    }
    return closingGaps(between: blocks.map(\.codes), downTo: count)
  }

  /// Joins adjacent ranges, those with the smallest gaps first, until at most `count` are left.
  private static func closingGaps(between ranges: [ClosedRange<Int64>], downTo count: Int) -> [ClosedRange<Int64>] {
    let gaps = zip(ranges, ranges.dropFirst()).map { $1.lowerBound - $0.upperBound - 1 }
    var stays = [Bool](repeating: false, count: gaps.count)
    for index in gaps.indices.sorted(by: { gaps[$0] > gaps[$1] }).prefix(count - 1) where gaps[index] > 0 {
      stays[index] = true
    }
    var joined = Array(ranges.prefix(1))
    for (index, range) in ranges.dropFirst().enumerated() {
      if stays[index] {
        joined.append(range)
      } else {
        joined[joined.count - 1] = joined[joined.count - 1].lowerBound...range.upperBound
      }
    }
    return joined
  }
}

/// A box, measured in the parts of latitudes and longitudes.
private struct PlaceArea {
  let rows, columns: ClosedRange<UInt64>

  init(_ box: CoordinateBox) {
    rows = MortonCode.row(box.latitudes.lowerBound)...MortonCode.row(box.latitudes.upperBound)
    columns = MortonCode.column(box.longitudes.lowerBound)...MortonCode.column(box.longitudes.upperBound)
  }
}

/// A cell of the Earth after several halvings, by longitude and by latitude in turn: all codes with the same prefix of
/// bits.
private struct PlaceBlock {
  /// The minimum code, row and column.
  private var code: Int64 = 0
  private var row, column: UInt64
  /// The number of bits in the code that are not fixed.
  private var freeBits = 62
  /// Whether the block lies inside of an area, so that it is not divided further.
  private(set) var isWhole = false

  static let earth = PlaceBlock(row: 0, column: 0)

  private init(row: UInt64, column: UInt64) {
    self.row = row
    self.column = column
  }

  var codes: ClosedRange<Int64> { code...code + (1 << freeBits - 1) }

  private var rows: ClosedRange<UInt64> { row...row + (1 << ((freeBits + 1) / 2) - 1) }

  private var columns: ClosedRange<UInt64> { column...column + (1 << (freeBits / 2) - 1) }

  /// Appends the block if it is whole, and otherwise those of its halves that touch an area.
  func appendParts(in areas: [PlaceArea], to blocks: inout [PlaceBlock]) {
    guard !isWhole else {
      blocks.append(self)
      return
    }
    var first = self
    first.freeBits -= 1
    var second = first
    second.code += 1 << first.freeBits
    if freeBits.isMultiple(of: 2) {
      second.column += 1 << (first.freeBits / 2)
    } else {
      second.row += 1 << (first.freeBits / 2)
    }
    first.append(in: areas, to: &blocks)
    second.append(in: areas, to: &blocks)
  }

  private func append(in areas: [PlaceArea], to blocks: inout [PlaceBlock]) {
    let (rows, columns) = (rows, columns)
    var isTouched = false
    for area in areas where area.rows.overlaps(rows) && area.columns.overlaps(columns) {
      isTouched = true
      guard freeBits == 0 || (area.rows.contains(rows) && area.columns.contains(columns)) else { continue }
      var whole = self
      whole.isWhole = true
      blocks.append(whole)
      return
    }
    if isTouched { blocks.append(self) }
  }
}
