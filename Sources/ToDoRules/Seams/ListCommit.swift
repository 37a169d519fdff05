public import ToDoModel

/// The changes that one commit of a store made to one owner's list.
public struct ListCommit: Sendable {
  /// The list's owner.
  public var owner: OwnerID
  /// The list's revision after the commit.
  public var revision: Revision
  /// Complete revisions up to `revision`, in order and without gaps. Empty if the commit changed too many items to
  /// list, as a bulk deletion may.
  public var changes: [ReversibleChanges]

  /// Creates a commit.
  public init(owner: OwnerID, revision: Revision, changes: [ReversibleChanges]) {
    self.owner = owner
    self.revision = revision
    self.changes = changes
  }
}

/// The changes of one revision, and the items that they replaced or deleted.
public struct ReversibleChanges: Sendable {
  /// The changes.
  public var set: ChangeSet
  /// The items that the changes replaced or deleted, as they were before this revision. `nil` if they are unknown, as
  /// for changes that were read back from the store.
  public var replaced: [ToDoItem]?

  /// Creates changes with the items that they replaced.
  public init(_ set: ChangeSet, replaced: [ToDoItem]? = nil) {
    self.set = set
    self.replaced = replaced
  }

  /// The approximate number of bytes that the changes and the replaced items take in memory.
  var size: Int {
    self.set.memorySize + (replaced ?? []).reduce(0) { $0 + $1.memorySize }
  }
}

extension ChangeSet {
  /// The approximate number of bytes that the changes take in memory.
  var memorySize: Int { changes.reduce(0) { $0 + $1.memorySize } }
}

extension ItemChange {
  fileprivate var memorySize: Int {
    if case .put(let item, _) = self { item.memorySize } else { MemoryLayout<ItemChange>.stride }
  }
}

extension ToDoItem {
  /// The approximate number of bytes that the item takes in memory.
  var memorySize: Int { MemoryLayout<ItemChange>.stride + 64 + content.textSize }
}

/// A change by another process, as far as a store can determine it.
@nonexhaustive
public enum ExternalChange: Equatable, Sendable {
  /// The list of one owner has changed.
  case list(OwnerID)
  /// Any list may have changed.
  case anyList
}
