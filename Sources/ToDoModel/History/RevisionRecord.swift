/// What is recorded of one revision.
public struct RevisionRecord: Equatable, Sendable {
  /// The revision.
  public var revision: Revision
  /// The time of its changes.
  public var time: Timestamp
  /// Who made the changes.
  public var origin: ChangeOrigin
  /// Whether the user who made the changes is the caller.
  public var isOwn: Bool
  /// The first changes of the revision, by item ID, at most `HistoryQuery.Limits.changes`.
  public var changes: [RecordedChange]
  /// The number of changes of the revision.
  public var changeCount: Int

  /// Creates a record.
  public init(
    revision: Revision, time: Timestamp, origin: ChangeOrigin, isOwn: Bool, changes: [RecordedChange], changeCount: Int
  ) {
    self.revision = revision
    self.time = time
    self.origin = origin
    self.isOwn = isOwn
    self.changes = changes
    self.changeCount = changeCount
  }
}

/// Who made a change.
public struct ChangeOrigin: Hashable, Sendable {
  /// The name of the user; empty for a caller without credentials.
  public var user: String
  /// The client, as it describes itself; empty if it does not. At most `clientLimit` bytes of UTF-8. A database can contain
  /// control characters in it, which `client(describedAs:)` removes.
  public var client: String
  /// The revision that the change reverted; `nil` if it is no reversal.
  public var reverted: Revision?

  /// Creates an origin.
  public init(user: String = "", client: String = "", reverted: Revision? = nil) {
    self.user = user
    self.client = client
    self.reverted = reverted
  }

  /// The maximum size of `client`, in bytes of UTF-8.
  public static let clientLimit = 64

  /// Returns the name of a client without control characters, shortened to `clientLimit`. Servers apply it to what clients
  /// send and to what they send to clients, and clients apply it to what servers send.
  package static func client(describedAs text: String) -> String {
    text.withoutControls.truncated(toUTF8Count: clientLimit)
  }
}

/// A change of one item in the history.
public struct RecordedChange: Equatable, Sendable {
  /// The ID of the item.
  public var item: ItemID
  /// The number of the item; `nil` if the item is no longer known.
  public var number: ItemNumber?
  /// The title after the change, or before the deletion; `nil` if the item is no longer known.
  public var title: String?
  /// What happened to the item.
  public var kind: Kind

  /// Creates a change.
  public init(item: ItemID, number: ItemNumber?, title: String?, kind: Kind) {
    self.item = item
    self.number = number
    self.title = title
    self.kind = kind
  }

  /// What happened to an item.
  public enum Kind: Equatable, Sendable {
    /// The item was added or changed.
    case put(PutCause)
    /// The item was deleted.
    case deleted
  }
}
