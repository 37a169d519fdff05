public import ToDoModel

/// A keyed digest of what makes two items duplicates: title, description, due and location. A coordinate that a geocoder
/// found is not part of it.
///
/// Two contents are duplicates if and only if their fingerprints match (`matches(_:)`): the hash is a 128-bit SipHash, so
/// two contents cannot be made to collide without the key, and the contents need not be compared. Stores contain
/// fingerprints and their key, so another way of computing fingerprints needs a migration.
public struct ContentFingerprint: Hashable, Sendable {
  /// The hash of everything but a coordinate.
  public let high, low: UInt64
  /// The coordinate that the author gave, if any.
  public let spot: Spot?

  public init(high: UInt64, low: UInt64, spot: Spot? = nil) {
    self.high = high
    self.low = low
    self.spot = spot
  }

  /// The fingerprint that `content` is stored with.
  public init(of content: ItemContent, key: FingerprintKey) {
    var hash = SipHash128(keyLow: key.low, high: key.high)
    hash.combine(content.title)
    hash.combine(content.itemDescription ?? "")
    switch content.due {
    case nil: hash.combine(0)
    case .time(let time):
      hash.combine(1)
      hash.combine(time.microseconds)
    case .date(let date):
      hash.combine(2)
      hash.combine(Int64(date.daysSinceEpoch))
    }
    hash.combine(content.location?.name ?? "")
    hash.combine(content.location?.address ?? "")
    (low, high) = hash.finish()
    spot = content.location?.givenCoordinate.map(Spot.init)
  }

  /// Whether the contents of both are duplicates.
  public func matches(_ other: ContentFingerprint) -> Bool {
    guard high == other.high, low == other.low else { return false }
    switch (spot, other.spot) {
    case (nil, nil): return true
    case (let spot?, let other?): return spot.isNeighbor(of: other)
    default: return false
    }
  }

  /// A coordinate in ten-millionths of a degree: the precision to which two coordinates differ.
  public struct Spot: Hashable, Sendable {
    public let latitude, longitude: Int32

    public init(latitude: Int32, longitude: Int32) {
      self.latitude = latitude
      self.longitude = longitude
    }

    init(_ coordinate: Coordinate) {
      latitude = Int32((coordinate.latitude / Coordinate.tolerance).rounded())
      longitude = Int32((coordinate.longitude / Coordinate.tolerance).rounded())
    }

    /// Whether both latitude and longitude differ by one at most.
    public func isNeighbor(of other: Spot) -> Bool {
      abs(Int64(latitude) - Int64(other.latitude)) <= 1 && abs(Int64(longitude) - Int64(other.longitude)) <= 1
    }
  }
}

/// The secret key of a store's fingerprints. It never changes.
public struct FingerprintKey: Hashable, Sendable {
  public let low, high: UInt64

  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Returns a new key.
  public static func random() -> FingerprintKey {
    FingerprintKey(low: .random(in: 0 ... .max), high: .random(in: 0 ... .max))
  }
}
