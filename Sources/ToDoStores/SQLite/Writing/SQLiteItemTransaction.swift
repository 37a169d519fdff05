import ToDoModel
import ToDoRules

/// One write on an owner's items, inside a transaction that it shares with other writes.
final class SQLiteItemTransaction {
  /// What the group knows of an owner, changed by the write.
  struct Owner {
    let name: String
    /// `nil` for an owner that has no row yet.
    var number: Int64?
    var revision: Revision
    /// The earliest revision that the feed can be asked after.
    var floor: Revision
    var itemCount = 0
    /// By `StoredSize`.
    var byteCount = 0
    /// Whether the row must be written even if the revision stays.
    var mustBeStored = false
    /// The bulk deletion that other transactions must continue before anything else happens to the list.
    var deletion: PendingDeletion?
    /// How many changes the group made, and the time of the last.
    var changeCount = 0
    var lastChange = Timestamp(microseconds: 0)
  }

  var owner: Owner
  /// What became of the items.
  var changes = ItemChanges()
  let id: OwnerID
  let statements: WriteStatements
  let compaction: SQLiteCompaction
  private(set) var isChanged = false
  /// The item that was looked up last, as it is now. Whoever changes an item has looked it up.
  var latest: ToDoItem?
  /// Whether something may have been done that would have to be taken back.
  private var hasBegun = false
  private let setsSavepoint: Bool
  /// Why a statement failed. The write is lost then, even if its body goes on.
  private var failure: ToDoError?

  /// - Parameter setsSavepoint: whether it can be taken back by itself.
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
  /// - Throws: when a statement failed and the body hid it.
  func finish() throws {
    try perform {
      if hasBegun, setsSavepoint { try statements.releaseSavepoint.run() }
      if isChanged { owner.revision = owner.revision.next }
    }
  }

  /// Takes back what the write did, after its body threw.
  ///
  /// - Returns: false when it did something and set no savepoint, so that only all writes can be taken back.
  func rollBack() throws -> Bool {
    guard hasBegun else { return true }
    guard setsSavepoint else { return false }
    try statements.rollBackToSavepoint.run()
    try statements.releaseSavepoint.run()
    return true
  }

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

  /// Performs a change, with the savepoint before the first: most bodies throw before they change anything.
  func change<Value>(_ body: (_ owner: Int64) throws -> Value) throws -> Value {
    try perform {
      if !hasBegun {
        if setsSavepoint { try statements.setSavepoint.run() }
        hasBegun = true
      }
      return try body(try ownerNumber())
    }
  }

  func noteChanges(_ count: Int, at time: Timestamp) {
    guard count > 0 else { return }
    isChanged = true
    owner.changeCount += count
    owner.lastChange = time
  }

  /// Notes that a slice of the pending deletion was performed. Only the last one changes the revision.
  func noteSlice(count: Int, isLast: Bool, at time: Timestamp) {
    owner.changeCount += count
    owner.lastChange = time
    owner.mustBeStored = true
    guard isLast else { return }
    owner.deletion = nil
    isChanged = true
  }

  /// Keeps an item as it is, before it becomes something else or is deleted.
  func saveToHistory(_ item: ToDoItem, _ owner: Int64) throws {
    if try saveToHistory(item.id, owner) { self.owner.byteCount += StoredSize.of(item.content) }
  }

  /// Copies an item's row to the history, unless no reader can request it.
  ///
  /// - Returns: whether the row was copied.
  func saveToHistory(_ id: ItemID, _ owner: Int64) throws -> Bool {
    let keep = statements.copyToHistory
    keep.bind(owner, at: 1)
    keep.bind(id, at: 2)
    keep.bind(self.owner.floor.number, at: 3)
    keep.bind(revision.number, at: 4)
    try keep.run()
    return statements.changeCount == 1
  }

  /// The item as it is before a change of it.
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
