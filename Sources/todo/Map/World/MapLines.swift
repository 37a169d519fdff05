import ToDoModel

/// Reads lines from the form in which the program carries them:
///
///     "MAP1"
///     count of lines                 varint
///     for each line
///       count of points * 2 + kind   varint; the kind is 0 for a coast, 1 for a border
///       for each point
///         longitude, latitude        zigzag varints, hundredths of a degree more than the point before has
///
/// A varint has seven bits a byte, the lowest first, and the highest bit set in all bytes but the last. Before the first
/// point are zeros.
enum MapLines {
  /// - Throws: `MapDataError` whatever is wrong with the bytes.
  static func decode(_ bytes: [UInt8]) throws(MapDataError) -> [MapLine] {
    var reader = Reader(bytes: bytes)
    for byte in "MAP1".utf8 where try reader.byte() != byte { throw .malformed }
    let count = try reader.varint()
    // A line takes three bytes or more.
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

    /// At most 28 bits, which is more than anything here needs.
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
      // A point takes two bytes or more.
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

/// What can be wrong with the data of a map.
enum MapDataError: Error, Equatable {
  case malformed
}
