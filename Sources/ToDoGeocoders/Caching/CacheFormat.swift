import ToDoRules

/// The format of a cache file: a header line, then the records. Each record follows its length in 4 bytes and its FNV-1a
/// hash in 8 bytes.
enum CacheFormat {
  static let header = Array("todo geocodes 1\n".utf8)

  /// The readable records of a file, and whether they are the whole file.
  struct Contents {
    var records: [CacheRecord] = []
    var isComplete = true
  }

  /// Reads the records before the first damaged one.
  static func records(in bytes: [UInt8]) -> Contents {
    var contents = Contents()
    var reader = ByteReader(bytes[...])
    guard reader.readBytes(header.count).map(Array.init) == header else {
      contents.isComplete = false
      return contents
    }
    while !reader.remaining.isEmpty {
      guard let record = record(from: &reader) else {
        contents.isComplete = false
        return contents
      }
      contents.records.append(record)
    }
    return contents
  }

  /// Returns the contents of a file that holds the records.
  static func file(of records: [CacheRecord]) -> [UInt8] {
    records.reduce(into: header) { $0 += framed($1) }
  }

  /// Returns the record after its length and hash.
  static func framed(_ record: CacheRecord) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(integer: UInt32(record.size))
    bytes.append(integer: hash(of: record.bytes[...]))
    return bytes + record.bytes
  }

  private static func record(from reader: inout ByteReader) -> CacheRecord? {
    guard let length = reader.readInteger(UInt32.self), let expected = reader.readInteger(UInt64.self),
      let bytes = reader.readBytes(Int(length)), hash(of: bytes) == expected
    else { return nil }
    return CacheRecord(bytes: Array(bytes))
  }

  private static func hash(of bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash = FNV1a()
    for byte in bytes { hash.combine(byte: byte) }
    return hash.value
  }
}
