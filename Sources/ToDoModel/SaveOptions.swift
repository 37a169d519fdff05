/// The warnings about items to save that the caller has confirmed.
public struct SaveOptions: Hashable, Sendable {
  /// Whether to save an item even if the list contains an incomplete item with the same content.
  public var allowsDuplicate: Bool
  /// Whether to save an item even if no coordinate is found for its address, or only a guess. If the geocoder failed, a server
  /// retries the lookup later.
  public var savesWithoutCoordinate: Bool

  /// Creates options. By default, nothing is confirmed.
  public init(allowsDuplicate: Bool = false, savesWithoutCoordinate: Bool = false) {
    self.allowsDuplicate = allowsDuplicate
    self.savesWithoutCoordinate = savesWithoutCoordinate
  }
}
