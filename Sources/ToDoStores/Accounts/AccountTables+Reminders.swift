package import ToDoModel
import ToDoRules

/// The statements on reminder states, which are the same in every database except for the parameters.
package struct ReminderStateSQL: Sendable {
  let states, statesOfItem, statesOfList, sizeOfList, isReadable, insert, removeItem, evict, removeOfUser: String
  let removeOfOthers: String
  let all, deleteAll: String

  /// Creates the statements of a database.
  ///
  /// - Parameter p: the character before the number of a parameter.
  package init(parameterPrefix p: String) {
    let columns = "member, list_id, item_id, reminder, acknowledged_at, snoozed_until"
    states = "SELECT \(columns) FROM reminder_state WHERE member = \(p)1 ORDER BY item_id, reminder"
    statesOfItem = "SELECT \(columns) FROM reminder_state WHERE member = \(p)1 AND item_id = \(p)2 ORDER BY reminder"
    statesOfList = "SELECT \(columns) FROM reminder_state WHERE member = \(p)1 AND list_id = \(p)2 ORDER BY item_id"
    // A trigger is ASCII.
    sizeOfList = """
      SELECT CAST(coalesce(sum(length(reminder) + \(ReminderStates.overhead)), 0) AS bigint) FROM reminder_state
        WHERE member = \(p)1 AND list_id = \(p)2
      """
    isReadable = """
      SELECT owner FROM user_list WHERE id = \(p)1 AND id <> 'default' AND deleted_at IS NULL AND (owner = \(p)2 OR EXISTS
        (SELECT 1 FROM list_member WHERE list_id = \(p)1 AND member = \(p)2 AND accepted_at IS NOT NULL))
      """
    insert = "INSERT INTO reminder_state (\(columns)) VALUES (\(p)1, \(p)2, \(p)3, \(p)4, \(p)5, \(p)6)"
    removeItem = "DELETE FROM reminder_state WHERE member = \(p)1 AND item_id = \(p)2"
    // SQLite has no offset without a limit.
    evict = """
      DELETE FROM reminder_state WHERE member = \(p)1 AND item_id IN (
        SELECT item_id FROM reminder_state WHERE member = \(p)1 AND item_id <> \(p)2
        GROUP BY item_id ORDER BY max(acknowledged_at) DESC, item_id LIMIT 1000000 OFFSET \(ReminderStates.itemLimit - 1))
      """
    removeOfUser = "DELETE FROM reminder_state WHERE member = \(p)1"
    removeOfOthers = """
      DELETE FROM reminder_state WHERE list_id = \(p)1
        AND member NOT IN (SELECT owner FROM user_list WHERE id = \(p)1 AND id <> 'default')
        AND member NOT IN (SELECT member FROM list_member WHERE list_id = \(p)1 AND accepted_at IS NOT NULL)
      """
    all = "SELECT \(columns) FROM reminder_state ORDER BY member, item_id, reminder"
    deleteAll = "DELETE FROM reminder_state"
  }

  func insert(_ state: CopiedReminderState) -> AccountStatement {
    AccountStatement(
      insert,
      [
        .text(state.user.name), .text(state.list.description), .text(state.item.description),
        .text(state.reminder.trigger.description), .number(state.reminder.acknowledged?.microseconds),
        .number(state.reminder.snoozedUntil?.microseconds),
      ])
  }

  /// The statements that replace the states of all users.
  package func replaceAll(with states: [CopiedReminderState]) -> [AccountStatement] {
    [AccountStatement(deleteAll)] + states.map(insert)
  }
}

/// A user's state of a reminder.
package struct CopiedReminderState: Equatable, Sendable {
  /// The owner of the user's default list.
  package var user: OwnerID
  /// The list that contained the item.
  package var list: ListID
  package var item: ItemID
  package var reminder: Reminder
}

/// The table of reminder states.
extension AccountTables {
  private var sql: ReminderStateSQL { Self.reminderSQL }

  func reminderStates(of user: OwnerID) throws -> [ItemID: [Reminder]] {
    try rows(of: AccountStatement(sql.states, [.text(user.name)])) { try Self.state($0) }
      .reduce(into: [:]) { $0[$1.item, default: []].append($1.reminder) }
  }

  /// Returns the states of all users. They are of one moment if this runs in a transaction that reads one.
  package func reminderStates() throws -> [CopiedReminderState] {
    try rows(of: AccountStatement(sql.all)) { try Self.state($0) }
  }

  /// Runs `body`, and stores the states that it changes.
  func changeReminderStates<Value>(
    of user: OwnerID, in list: ListID, item: ItemID, at now: Timestamp, _ body: (inout [Reminder]) throws -> Value
  ) throws -> Value {
    // First, because its lock serializes the changes of all servers, and those of lists and members.
    _ = try rows(of: AccountStatement(Self.listSQL.lockLastVersion)) { _ in }
    let readable = AccountStatement(sql.isReadable, [.text(list.description), .text(user.name)])
    guard try !rows(of: readable, decode: { _ in }).isEmpty else { throw ToDoError.listNotFound(list) }
    let key = [AccountStatement.Value.text(user.name), .text(item.description)]
    let former = try rows(of: AccountStatement(sql.statesOfItem, key)) { try Self.state($0).reminder }
    var states = former
    let value = try body(&states)
    guard states != former else { return value }
    if !former.isEmpty { try run(AccountStatement(sql.removeItem, key)) }
    for state in states {
      try run(sql.insert(CopiedReminderState(user: user, list: list, item: item, reminder: state)))
    }
    if former.isEmpty { try run(AccountStatement(sql.evict, key)) }
    try evict(of: user, in: list, keeping: item, at: now)
    return value
  }

  /// Removes the states in a list that exceed the size limit.
  private func evict(of user: OwnerID, in list: ListID, keeping item: ItemID, at now: Timestamp) throws {
    let key = [AccountStatement.Value.text(user.name), .text(list.description)]
    let size = try rows(of: AccountStatement(sql.sizeOfList, key)) { $0.number(0) }.first ?? 0
    guard size > ReminderStates.sizeLimit else { return }
    let states = try rows(of: AccountStatement(sql.statesOfList, key)) { try Self.state($0) }
    let items = states.reduce(into: [:]) { $0[$1.item, default: []].append($1.reminder) }
    for item in try ReminderStates.evictions(from: items, keeping: item, at: now) {
      try run(AccountStatement(sql.removeItem, [.text(user.name), .text(item.description)]))
    }
  }

  func removeReminderStates(of user: OwnerID) throws {
    try run(AccountStatement(sql.removeOfUser, [.text(user.name)]))
  }

  /// Removes the states in a list of those who cannot read it.
  func removeReminderStates(ofOthersIn list: ListID) throws {
    try run(AccountStatement(sql.removeOfOthers, [.text(list.description)]))
  }

  private func run(_ statement: AccountStatement) throws { _ = try rows(of: statement) { _ in } }

  private static func state(_ row: Row) throws -> CopiedReminderState {
    guard let list = ListID(row.optionalText(1) ?? ""), let item = ItemID(row.optionalText(2) ?? ""),
      let trigger = Reminder.Trigger(row.optionalText(3) ?? "")
    else { throw ToDoError.malformedReminderStates }
    let reminder = Reminder(
      trigger, acknowledged: Timestamp(microseconds: row.number(4)),
      snoozedUntil: row.optionalNumber(5).map(Timestamp.init(microseconds:)))
    return CopiedReminderState(user: OwnerID(row.optionalText(0) ?? ""), list: list, item: item, reminder: reminder)
  }
}

extension DatabaseAccountStore {
  public func reminderStates(of user: OwnerID) async throws -> [ItemID: [Reminder]] {
    try await read { try $0.reminderStates(of: user) }
  }

  public func changeReminderStates<Value: Sendable>(
    of user: OwnerID, in list: ListID, item: ItemID, at now: Timestamp,
    _ body: @escaping @Sendable (inout [Reminder]) throws -> Value
  ) async throws -> Value {
    try await writeLists { try $0.changeReminderStates(of: user, in: list, item: item, at: now, body) }
  }
}

extension ToDoError {
  /// A row of states is malformed.
  static let malformedReminderStates = storeUnavailable(detail: "the stored states of reminders are malformed")
}
