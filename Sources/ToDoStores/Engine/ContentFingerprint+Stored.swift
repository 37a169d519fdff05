package import ToDoRules

extension ContentFingerprint {
  /// The form in which a fingerprint is stored: the hash, then latitude and longitude if there is a coordinate. The byte order
  /// keeps the fingerprints of neighboring spots on one latitude next to each other.
  package var storedBytes: [UInt8] { withStoredBytes { Array($0) } }

  /// Calls `body` with the stored form.
  func withStoredBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    let latitude = UInt32(bitPattern: (spot?.latitude ?? 0) ^ .min).bigEndian
    let longitude = UInt32(bitPattern: (spot?.longitude ?? 0) ^ .min).bigEndian
    return withUnsafeBytes(of: (high.bigEndian, low.bigEndian, latitude, longitude)) {
      body(UnsafeRawBufferPointer(rebasing: $0.prefix(spot == nil ? 16 : 24)))
    }
  }

  /// Returns `nil` if the bytes are not a stored fingerprint.
  package init?(storedBytes bytes: UnsafeRawBufferPointer) {
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

  /// The range that contains every matching stored fingerprint, and possibly others.
  var matchingRange: (first: ContentFingerprint, last: ContentFingerprint) { (moved(-1, -1), moved(1, 1)) }

  /// The ranges that contain exactly the matching stored fingerprints.
  var matchingRanges: [(first: ContentFingerprint, last: ContentFingerprint)] {
    guard spot != nil else { return [(self, self)] }
    return [-1, 0, 1].map { (moved($0, -1), moved($0, 1)) }
  }

  private func moved(_ north: Int32, _ east: Int32) -> ContentFingerprint {
    let spot = spot.map { Spot(latitude: $0.latitude + north, longitude: $0.longitude + east) }
    return ContentFingerprint(high: high, low: low, spot: spot)
  }
}
