/// Whose list an item belongs to. Every store look-up names it.
public struct OwnerID: Hashable, Sendable {
  public let name: String

  public init(_ name: String) {
    self.name = name
  }

  /// The owner of the one list of an embedded store, and of a server without user accounts.
  public static let local = OwnerID("local")
}
