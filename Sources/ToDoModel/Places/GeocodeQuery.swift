/// An address to be found.
public struct GeocodeQuery: Equatable, Sendable {
  /// An address or the name of a place, in any script: 1 to 1,024 bytes of UTF-8, not only white space.
  public var address: String
  /// Of places that match equally well, those near here come first; `nil`: no preference.
  public var bias: Coordinate?
  /// How many candidates at most: 1 to 50.
  public var limit: Int
  /// The owner of the list that the address is looked up for, so that a geocoder that lets callers wait serves owners in
  /// turn. `LocalToDoService` sets it. It does not change the candidates, and does not travel to a server.
  public var owner: OwnerID?

  public init(
    address: String, bias: Coordinate? = nil, limit: Int = GeocodeQuery.defaultLimit, owner: OwnerID? = nil
  ) {
    self.address = address
    self.bias = bias
    self.limit = limit
    self.owner = owner
  }

  public static let defaultLimit = 5
  public static let limits = 1...50
}
