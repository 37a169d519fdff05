public import ToDoModel

/// A keyed digest of the fields that make two items duplicates: title, description, due date and location. A geocoded
/// coordinate is not included.
///
/// Two contents are duplicates if and only if their fingerprints match (`matches(_:)`), unless a geocoder found their places
/// far from each other (`ItemTransaction.duplicate`). The hash is a 128-bit SipHash, so an attacker without the key cannot make
/// two contents collide, and the contents need not be compared. Stores contain fingerprints and their key, so a change of the
/// algorithm requires a migration.
public struct ContentFingerprint: Hashable, Sendable {
  /// The hash of everything except a coordinate.
  public let high, low: UInt64
  /// The coordinate that the user set, if any.
  public let spot: Spot?

  /// Creates a fingerprint from its stored parts.
  public init(high: UInt64, low: UInt64, spot: Spot? = nil) {
    self.high = high
    self.low = low
    self.spot = spot
  }

  /// Computes the fingerprint of an item's content.
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

  /// Whether both contents are duplicates, unless their places were found far from each other.
  public func matches(_ other: ContentFingerprint) -> Bool {
    guard high == other.high, low == other.low else { return false }
    switch (spot, other.spot) {
    case (nil, nil): return true
    case (let spot?, let other?): return spot.isNeighbor(of: other)
    default: return false
    }
  }

  /// A coordinate in units of 1e-7 degrees, the tolerance of equal coordinates.
  public struct Spot: Hashable, Sendable {
    /// The rounded latitude and longitude.
    public let latitude, longitude: Int32

    /// Creates a spot.
    public init(latitude: Int32, longitude: Int32) {
      self.latitude = latitude
      self.longitude = longitude
    }

    init(_ coordinate: Coordinate) {
      latitude = Int32((coordinate.latitude / Coordinate.tolerance).rounded())
      longitude = Int32((coordinate.longitude / Coordinate.tolerance).rounded())
    }

    /// Whether both latitude and longitude differ by at most one unit.
    public func isNeighbor(of other: Spot) -> Bool {
      abs(Int64(latitude) - Int64(other.latitude)) <= 1 && abs(Int64(longitude) - Int64(other.longitude)) <= 1
    }
  }
}

/// The secret key of a store's fingerprints, which never changes.
public struct FingerprintKey: Hashable, Sendable {
  /// The halves of the key.
  public let low, high: UInt64

  /// Creates a key from its stored halves.
  public init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Returns a new random key.
  public static func random() -> FingerprintKey {
    FingerprintKey(low: .random(in: 0 ... .max), high: .random(in: 0 ... .max))
  }
}
