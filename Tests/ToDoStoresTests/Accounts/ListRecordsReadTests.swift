import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoStores

@Suite struct ListRecordsReadTests {
  /// A write compares the account version with the current one. With a later version than that of the members, it would not notice
  /// that its caller is no member any more.
  @Test func listRecords_whenAccountsChangeMeanwhile_haveTheEarlierVersion() throws {
    let tables = ChangingTables()
    #expect(try tables.listRecords(of: OwnerID("ann")).accountVersion == 0)
    #expect(tables.version > 0)
  }
}

/// Tables without lists, whose account version grows with each statement.
private final class ChangingTables: AccountTables {
  struct Row: AccountRow {
    func optionalText(_ column: Int32) -> String? { nil }
    func number(_ column: Int32) -> Int64 { 0 }
    func optionalNumber(_ column: Int32) -> Int64? { nil }
    func bytes(_ column: Int32) -> [UInt8]? { nil }
    func flag(_ column: Int32) -> Bool { false }
  }

  static let sql = SQLiteAccountTables.sql
  static let listSQL = SQLiteAccountTables.listSQL
  static let notificationSQL = SQLiteAccountTables.notificationSQL
  static let reminderSQL = SQLiteAccountTables.reminderSQL

  private(set) var version: Int64 = 0

  func incrementVersion() { version += 1 }

  func endAccess(to list: OwnerID) {}

  func lockItems(of list: OwnerID) {}

  func rows<Value>(of statement: AccountStatement, decode: (Row) throws -> Value) throws -> [Value] {
    defer { incrementVersion() }
    return statement.sql == Self.listSQL.lastVersion ? [try decode(Row())] : []
  }
}
