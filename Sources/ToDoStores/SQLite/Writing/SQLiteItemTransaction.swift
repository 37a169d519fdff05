import ToDoModel
import ToDoRules
import ToDoSQLite

/// One write to an owner's items, in a transaction that it shares with other writes.
final class SQLiteItemTransaction {
  /// The state of an owner within a group. A write changes it.
  struct Owner {
    let name: String
    /// The number of the owner; `nil` if it has no row yet.
    var number: Int64?
    var counters = ListCounters()
    /// The account version of the last change of users or tokens that may have ended access to the list. That of a list
    /// without a row is the current account version.
    var accessVersion: Int64 = 0
    /// Whether the row must be written even if the revision stays.
    var mustBeStored = false
    /// The bulk deletion that other transactions must continue before anything else happens to the list.
    var deletion: PendingDeletion?
    /// The number of changes that the group made, and the time of the last one.
    var changeCount = 0
    var lastChange = Timestamp(microseconds: 0)
  }

  var owner: Owner
  /// The changes that the write made to items.
  var changes = ItemChanges()
  /// Who makes the changes.
  var origin = ChangeOrigin()
  let id: OwnerID
  let statements: WriteStatements
  let compaction: SQLiteCompaction
  private(set) var isChanged = false
  /// The current state of the item that was read last. An item is read before it is changed, so it is not read again.
  var latest: ToDoItem?
  /// Whether the write may have made changes that a rollback must undo.
  private var hasBegun = false
  private let setsSavepoint: Bool
  /// The error of a failed statement. The write fails then, even if its body continues.
  private var failure: ToDoError?

  /// - Parameter setsSavepoint: whether the write can be rolled back alone.
  init(
    on owner: Owner, _ id: OwnerID, _ statements: WriteStatements, _ compaction: SQLiteCompaction, setsSavepoint: Bool
  ) {
    self.owner = owner
    self.id = id
    self.statements = statements
    self.compaction = compaction
    self.setsSavepoint = setsSavepoint
  }

  /// Ends a write whose body returned.
  ///
  /// - Throws: the error of a failed statement that the body hid.
  func finish() throws {
    try perform {
      if hasBegun, setsSavepoint { try statements.releaseSavepoint.run() }
      if isChanged { owner.counters.revision = owner.counters.nextRevision }
    }
  }

  /// Rolls back the changes of the write after its body threw.
  ///
  /// - Returns: false if the write made changes and set no savepoint. The whole group must be rolled back then.
  func rollBack() throws -> Bool {
    guard hasBegun else { return true }
    guard setsSavepoint else { return false }
    try statements.rollBackToSavepoint.run()
    try statements.releaseSavepoint.run()
    return true
  }

  /// Runs statements. After a failure, it rethrows the failure without running any.
  func perform<Value>(_ body: () throws -> Value) throws -> Value {
    if let failure { throw failure }
    do {
      return try body()
    } catch {
      let failure = ToDoError(error)
      self.failure = failure
      throw failure
    }
  }

  /// Performs a change. The savepoint is set before the first change, because most failing bodies throw before it.
  func change<Value>(_ body: (_ owner: Int64) throws -> Value) throws -> Value {
    try perform {
      if !hasBegun {
        if setsSavepoint { try statements.setSavepoint.run() }
        hasBegun = true
      }
      return try body(try ownerNumber())
    }
  }

  /// Records changes, which increment the revision.
  func noteChanges(_ count: Int, at time: Timestamp) {
    guard count > 0 else { return }
    isChanged = true
    owner.changeCount += count
    owner.lastChange = time
  }

  /// Records a slice of the pending deletion. Only the last slice increments the revision.
  func noteSlice(count: Int, isLast: Bool, at time: Timestamp) {
    owner.changeCount += count
    owner.lastChange = time
    owner.mustBeStored = true
    guard isLast else { return }
    owner.deletion = nil
    isChanged = true
  }

  /// Copies the current state of an item to the history, before it is changed, so that the change can be reverted.
  func saveToHistory(_ item: ToDoItem, _ owner: Int64) throws {
    guard try saveToHistory(item.id, owner, ifAfter: .initial) else { return }
    self.owner.counters.countFormerStates(size: StoredSize.of(item.content))
  }

  /// Copies an item's row to the history, before it is deleted, unless no reader can request it.
  ///
  /// - Returns: whether the row was copied.
  func saveDeletedToHistory(_ id: ItemID, _ owner: Int64) throws -> Bool {
    try saveToHistory(id, owner, ifAfter: self.owner.counters.floor)
  }

  private func saveToHistory(_ id: ItemID, _ owner: Int64, ifAfter bound: Revision) throws -> Bool {
    let keep = statements.copyToHistory
    keep.bind(owner, at: 1)
    keep.bind(id, at: 2)
    keep.bind(bound.number, at: 3)
    keep.bind(revision.number, at: 4)
    try keep.run()
    return statements.changeCount == 1
  }

  /// Returns the state of an existing item before a change.
  func currentItem(_ id: ItemID) throws -> ToDoItem {
    if let latest, latest.id == id { return latest }
    guard case .present(let item, _) = try record(of: id) else {
      preconditionFailure("only an item that is there is changed")
    }
    return item
  }

  private func ownerNumber() throws -> Int64 {
    if let number = owner.number { return number }
    statements.addOwner.bind(owner.name, at: 1)
    try statements.addOwner.run()
    owner.number = statements.lastInsertedNumber
    return statements.lastInsertedNumber
  }
}
