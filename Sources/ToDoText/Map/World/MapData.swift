import ToDoModel

/// Decodes the lines of the embedded world map:
///
///     "MAP1"
///     number of lines                varint
///     for each line
///       number of points * 2 + kind  varint; kind is 0 for a coast, 1 for a border
///       for each point
///         longitude, latitude        zigzag varints: difference from the previous point in 1/100 degree
///
/// A varint has seven bits per byte, lowest first, with the highest bit set in all bytes but the last. The first point of the
/// map is relative to 0, 0; the first point of any other line is relative to the last point of the previous line.
package enum MapData {
  /// Decodes lines.
  ///
  /// - Throws: `MapDataError` if the bytes are malformed.
  static func decode(_ bytes: [UInt8]) throws(MapDataError) -> [MapLine] {
    var reader = Reader(bytes: bytes)
    for byte in "MAP1".utf8 where try reader.byte() != byte { throw .malformed }
    let count = try reader.varint()
    // A line has at least three bytes.
    guard count <= bytes.count / 3 else { throw .malformed }
    var lines: [MapLine] = []
    lines.reserveCapacity(count)
    for _ in 0..<count { lines.append(try reader.line()) }
    guard reader.isAtEnd else { throw .malformed }
    return lines
  }

  private struct Reader {
    private let bytes: [UInt8]
    private var position = 0
    private var longitude = 0
    private var latitude = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(MapDataError) -> UInt8 {
      guard position < bytes.count else { throw .malformed }
      defer { position += 1 }
      return bytes[position]
    }

    /// Reads a varint of at most 28 bits, which is more than the format needs.
    mutating func varint() throws(MapDataError) -> Int {
      var value = 0
      for shift in stride(from: 0, to: 28, by: 7) {
        let byte = try byte()
        value |= Int(byte & 0x7F) << shift
        if byte < 0x80 { return value }
      }
      throw .malformed
    }

    mutating func line() throws(MapDataError) -> MapLine {
      let head = try varint()
      guard let kind = MapLine.Kind(rawValue: UInt8(head & 1)) else { throw .malformed }
      // A point has at least two bytes.
      guard head >> 1 <= (bytes.count - position) / 2 else { throw .malformed }
      var line = MapLine(kind: kind, points: [])
      line.points.reserveCapacity(head >> 1)
      for _ in 0..<head >> 1 { line.points.append(try point()) }
      return line
    }

    private mutating func point() throws(MapDataError) -> Coordinate {
      longitude += try zigzag()
      latitude += try zigzag()
      guard let point = Coordinate(latitude: Double(latitude) / 100, longitude: Double(longitude) / 100) else {
        throw .malformed
      }
      return point
    }

    private mutating func zigzag() throws(MapDataError) -> Int {
      let value = try varint()
      return value >> 1 ^ -(value & 1)
    }
  }
}

/// An error in the data of a map.
package enum MapDataError: Error, Equatable {
  case malformed
}
