/// Identifies a list: by a UUID that the client generates, so that a creation can be retried safely, or as the default list.
///
/// `description` is "default" for the default list, and otherwise the canonical lower-case form with hyphens.
public struct ListID: Hashable, Sendable {
  /// The first eight bytes, most significant first.
  public let high: UInt64
  /// The last eight bytes, most significant first.
  public let low: UInt64

  /// Creates an ID from its bytes.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Generates a version 7 UUID with the system's clock and random number generator.
  public init() { self.init(uuid: ItemID()) }

  private init(uuid: ItemID) { self.init(high: uuid.high, low: uuid.low) }

  /// The ID of the list that every user has.
  @inlinable
  public static var `default`: ListID { ListID(high: 0, low: 0) }

  /// Whether this is the list that every user has.
  @inlinable
  public var isDefault: Bool { high | low == 0 }
}

extension ListID: Comparable {
  /// Whether the first ID sorts earlier. The default list sorts first.
  public static func < (left: ListID, right: ListID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension ListID: LosslessStringConvertible {
  /// Parses "default", or a UUID in either case. Returns `nil` for any other text.
  public init?(_ text: String) {
    var text = text
    let parsed = text.withUTF8 { ListID(utf8: UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self = parsed
  }

  /// Parses the text form from UTF-8 bytes. Returns `nil` for any other bytes.
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    if bytes.elementsEqual(Self.defaultText.utf8) {
      self = .default
      return
    }
    guard let uuid = ItemID(utf8: bytes) else { return nil }
    self.init(uuid: uuid)
  }

  /// The canonical text form.
  public var description: String { isDefault ? Self.defaultText : ItemID(high: high, low: low).description }

  private static let defaultText = "default"
}

extension OwnerID {
  /// Creates the owner under which stores keep a list's items. The list is not the default one.
  package init(_ list: ListID) { self.init(Self.listPrefix + list.description) }

  /// The list whose items are stored under this owner. `nil` for the default list of a user.
  package var list: ListID? {
    guard name.utf8.starts(with: Self.listPrefix.utf8) else { return nil }
    return ListID(String(name.dropFirst(Self.listPrefix.count)))
  }

  /// No user's list has a name with this prefix, because the names of users contain no colon.
  private static let listPrefix = "list:"
}
