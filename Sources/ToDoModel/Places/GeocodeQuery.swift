/// A request to geocode an address.
public struct GeocodeQuery: Equatable, Sendable {
  /// An address or the name of a place, in any script: 1 to 1,024 bytes of UTF-8, not blank.
  public var address: String
  /// A coordinate near which equally good matches rank first, or `nil` for no preference.
  public var bias: Coordinate?
  /// The maximum number of candidates, 1 to 50.
  public var limit: Int
  /// The owner of the list that the address is looked up for. `LocalToDoService` sets it, so that a geocoder that
  /// queues requests serves the owners in turn. It does not affect the candidates and is not sent to a server.
  public var owner: OwnerID?

  /// Creates a query.
  public init(
    address: String, bias: Coordinate? = nil, limit: Int = GeocodeQuery.defaultLimit, owner: OwnerID? = nil
  ) {
    self.address = address
    self.bias = bias
    self.limit = limit
    self.owner = owner
  }

  /// The default of `limit`.
  public static let defaultLimit = 5
  /// The valid values of `limit`.
  public static let limits = 1...50
}
