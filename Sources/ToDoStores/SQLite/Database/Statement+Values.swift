import ToDoModel
import ToDoRules
import ToDoSQLite

extension Statement {
  func bind(_ id: ItemID, at parameter: Int32) {
    withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { bind($0, at: parameter) }
  }

  func bind(_ bound: ItemScan.ItemBound, at parameter: Int32) {
    switch bound {
    case .beforeAll: [UInt8]().bind(to: self, at: parameter)
    case .at(let id): bind(id, at: parameter)
    case .afterAll: [UInt8](repeating: 0xFF, count: 17).bind(to: self, at: parameter)
    }
  }

  /// Returns an item ID, or `nil` unless the value has 16 bytes.
  func id(_ column: Int32) -> ItemID? {
    guard let bytes = blob(column), bytes.count == 16 else { return nil }
    let high = bytes.loadUnaligned(as: UInt64.self)
    let low = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    return ItemID(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }
}

extension Statement {
  func bind(_ fingerprint: ContentFingerprint, at parameter: Int32) {
    fingerprint.withStoredBytes { bind($0, at: parameter) }
  }

  /// Returns a fingerprint, or `nil` for NULL and invalid values.
  func fingerprint(_ column: Int32) -> ContentFingerprint? {
    blob(column).flatMap(ContentFingerprint.init(storedBytes:))
  }
}

extension ListCounters {
  /// Decodes the current row of `ItemSQL.owner`.
  init(_ row: Statement) throws(ToDoError) {
    try self.init(
      revision: row.number(1), floor: row.number(2), itemCount: row.number(3), byteCount: row.number(4),
      lastNumber: row.number(7))
  }
}
