/// The record of one revision in the history: its time, its origin and its first changes.
public struct RevisionRecord: Equatable, Sendable {
  /// The revision.
  public var revision: Revision
  /// The time of its changes.
  public var time: Timestamp
  /// The user and the client that made the changes.
  public var origin: ChangeOrigin
  /// Whether the user who made the changes is the caller, or the same client if neither has a user.
  public var isOwn: Bool
  /// The first changes of the revision, by item ID, at most `HistoryQuery.Limits.changes`.
  public var changes: [RecordedChange]
  /// The number of changes in the revision.
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

/// The user and the client that made a change.
public struct ChangeOrigin: Hashable, Sendable {
  /// The user's name; empty for a caller without credentials.
  public var user: String
  /// The client, as it describes itself; empty if it does not. At most `clientLimit` bytes of UTF-8. A database can contain
  /// control characters in it, which `client(describedAs:)` removes.
  public var client: String
  /// The revision that the change reverted; `nil` if it is not a reversal.
  public var reverted: Revision?
  /// The other list, if the change moved items between two lists.
  public var moved: ListMove?

  /// Creates an origin.
  public init(user: String = "", client: String = "", reverted: Revision? = nil, moved: ListMove? = nil) {
    self.user = user
    self.client = client
    self.reverted = reverted
    self.moved = moved
  }

  /// The maximum size of `client`, in bytes of UTF-8.
  public static let clientLimit = 64

  /// Returns the name of a client without control characters, shortened to `clientLimit`. Servers apply it to what clients
  /// send and to what they send to clients, and clients apply it to what servers send.
  package static func client(describedAs text: String) -> String {
    text.withoutControls.truncated(toUTF8Count: clientLimit)
  }
}

/// A client name begins with the program and its version, such as `todo/1.4.0`. A word such as `#3f2a9100` is the mark of one
/// run of the program. Neither the version nor the mark tells clients apart.
extension ChangeOrigin {
  /// The run's mark, or `nil` if the client names none.
  package var run: String? { client.split(separator: " ").first(where: Self.isMark).map(String.init) }

  /// The client without the run's mark.
  package var clientText: String {
    client.split(separator: " ", omittingEmptySubsequences: false).filter { !Self.isMark($0) }.joined(separator: " ")
  }

  /// The client without the version and the mark of the run.
  package var clientIdentity: String {
    let text = clientText
    let program = text.prefix { $0 != " " }
    return String(program.prefix { $0 != "/" }) + text[program.endIndex...]
  }

  /// Returns a run's mark.
  package static func mark(ofRun run: UInt32) -> String {
    let digits = String(run, radix: 16)
    return "#" + String(repeating: "0", count: markLength - 1 - digits.count) + digits
  }

  private static let markLength = 9

  private static func isMark(_ word: Substring) -> Bool {
    word.utf8.count == markLength && word.first == "#" && word.dropFirst().allSatisfy(\.isHexDigit)
  }
}

/// A change of one item in the history.
public struct RecordedChange: Equatable, Sendable {
  /// The item's ID.
  public var item: ItemID
  /// The item's number; `nil` if the item is no longer known.
  public var number: ItemNumber?
  /// The title after the change, or before the deletion; `nil` if the item is no longer known.
  public var title: String?
  /// The kind of change, such as a deletion.
  public var kind: Kind
  /// The fields that the change set. Empty if it added, deleted or restored the item, or if the state before it is no longer
  /// retained.
  public var fields: [FieldChange]

  /// Creates a change.
  public init(item: ItemID, number: ItemNumber?, title: String?, kind: Kind, fields: [FieldChange] = []) {
    self.item = item
    self.number = number
    self.title = title
    self.kind = kind
    self.fields = fields
  }

  /// Whether the item had another state before the change, with which it can be compared.
  public var hasFormerState: Bool {
    if case .put(let cause) = kind { cause != .added && cause != .restored } else { false }
  }

  /// A kind of change to an item.
  @nonexhaustive
  public enum Kind: Equatable, Sendable {
    /// The item was added or changed.
    case put(PutCause)
    /// The item was deleted.
    case deleted
  }
}
