#if PostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

extension StoreIdentity {
  /// Creates new random values.
  init() { self.init(incarnation: .random(), fingerprintKey: .random()) }

  /// Decodes stored values, or returns `nil` if they are malformed.
  ///
  /// - Parameters:
  ///   - incarnation: the number, 8 bytes, the most significant byte first.
  ///   - fingerprintKey: the high and the low half, 8 bytes each, the most significant byte first.
  init?(incarnation: [UInt8], fingerprintKey: [UInt8]) {
    guard incarnation.count == 8, fingerprintKey.count == 16,
      let list = ListIncarnation(UInt64(bigEndianBytes: incarnation[...]))
    else { return nil }
    let (high, low) = (fingerprintKey.prefix(8), fingerprintKey.suffix(8))
    self.init(
      incarnation: list,
      fingerprintKey: FingerprintKey(low: UInt64(bigEndianBytes: low), high: UInt64(bigEndianBytes: high)))
  }

  /// The stored form of `incarnation`.
  var incarnationBytes: [UInt8] { incarnation.number.bigEndianBytes }

  /// The stored form of `fingerprintKey`.
  var fingerprintKeyBytes: [UInt8] { fingerprintKey.high.bigEndianBytes + fingerprintKey.low.bigEndianBytes }
}

extension UInt64 {
  fileprivate init(bigEndianBytes bytes: ArraySlice<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  fileprivate var bigEndianBytes: [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
  }
}
#endif
