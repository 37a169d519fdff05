package import ToDoRules

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

/// A cell of the Earth after a number of halvings, by longitude and by latitude in turn: all codes with the same prefix of
/// bits.
private struct PlaceBlock {
  /// The minimum code, row and column.
  private var code: Int64 = 0
  private var row, column: UInt64
  /// The number of bits of the code that are not fixed.
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
