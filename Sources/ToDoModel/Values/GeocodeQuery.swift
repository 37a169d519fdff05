/// An address to be found.
public struct GeocodeQuery: Equatable, Sendable {
  /// An address or the name of a place, in any script: 1 to 1,024 bytes of UTF-8, not only white space.
  public var address: String
  /// Of places that match equally well, those near here come first; `nil`: no preference.
  public var bias: Coordinate?
  /// How many candidates at most: 1 to 50.
  public var limit: Int

  public init(address: String, bias: Coordinate? = nil, limit: Int = GeocodeQuery.defaultLimit) {
    self.address = address
    self.bias = bias
    self.limit = limit
  }

  public static let defaultLimit = 5
  public static let limits = 1...50
}
