/// The ID of a list's owner. Every store operation names the owner. IDs are equal if their names have the same bytes, as in
/// the databases.
public struct OwnerID: Hashable, Sendable {
  /// The owner's name, unique within a store.
  public let name: String

  /// Creates an ID from a name.
  public init(_ name: String) {
    self.name = name
  }

  /// Whether the names have the same bytes.
  public static func == (left: OwnerID, right: OwnerID) -> Bool { left.name.hasSameBytes(as: right.name) }

  /// The owner of the only list in an embedded store, or on a server without user accounts.
  public static let local = OwnerID("local")
}
