import ToDoModel

extension ContentFingerprint {
  /// The form in which a fingerprint is stored: the hash, then latitude and longitude if there is a coordinate. The byte order
  /// keeps the fingerprints of neighboring spots on one latitude next to each other.
  var storedBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes.append(contentsOf: $0) }
    if let spot {
      let latitude = UInt32(bitPattern: spot.latitude ^ .min).bigEndian
      let longitude = UInt32(bitPattern: spot.longitude ^ .min).bigEndian
      withUnsafeBytes(of: (latitude, longitude)) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// `nil` if the bytes are not those of a fingerprint.
  init?(storedBytes bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 || bytes.count == 24 else { return nil }
    var spot: Spot?
    if bytes.count == 24 {
      let latitude = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
      let longitude = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
      spot = Spot(latitude: Int32(bitPattern: latitude) ^ .min, longitude: Int32(bitPattern: longitude) ^ .min)
    }
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)), spot: spot)
  }

  /// The stored fingerprints that may match lie in this range.
  var matchingRange: (first: ContentFingerprint, last: ContentFingerprint) { (moved(-1, -1), moved(1, 1)) }

  /// The stored fingerprints that match are those in these ranges.
  var matchingRanges: [(first: ContentFingerprint, last: ContentFingerprint)] {
    guard spot != nil else { return [(self, self)] }
    return [-1, 0, 1].map { (moved($0, -1), moved($0, 1)) }
  }

  private func moved(_ north: Int32, _ east: Int32) -> ContentFingerprint {
    let spot = spot.map { Spot(latitude: $0.latitude + north, longitude: $0.longitude + east) }
    return ContentFingerprint(high: high, low: low, spot: spot)
  }
}

extension PreparedStatement {
  func bind(_ fingerprint: ContentFingerprint, at parameter: Int32) {
    fingerprint.storedBytes.withUnsafeBytes { bind($0, at: parameter) }
  }

  /// `nil` for NULL, and for anything that is no fingerprint.
  func fingerprint(_ column: Int32) -> ContentFingerprint? {
    blob(column).flatMap(ContentFingerprint.init(storedBytes:))
  }
}
