import GRDB
import Testing

@testable import ToDoStores

@Suite struct PreparedStatementTests {
  private let queue: DatabaseQueue
  private let statement: PreparedStatement

  init() throws {
    queue = try DatabaseQueue()
    statement = try queue.inDatabase { db in
      let connection = try #require(db.sqliteConnection)
      return try PreparedStatement("SELECT ?1", on: connection)
    }
  }

  @Test func run_whenParameterCannotBeBound_throwsOnce() throws {
    statement.bind(1 as Int64, at: 2)
    statement.bind(1 as Int64, at: 1)
    let error = try #require(throws: DatabaseError.self) { try statement.run() }
    #expect(error.resultCode == .SQLITE_RANGE)
    #expect(try statement.firstRow { statement.number(0) } == 1)
  }

  @Test(arguments: ["", "text", "é"])
  func bind_keepsATextAsItIs(_ text: String) throws {
    statement.bind(text, at: 1)
    #expect(try statement.firstRow { statement.text(0) } == text)
    #expect(try statement.firstRow { statement.byteCount(0) } == text.utf8.count)
    var bytes: [UInt8]?
    try statement.firstRow { statement.withUTF8(0) { bytes = Array($0) } }
    #expect(bytes == (text.isEmpty ? nil : Array(text.utf8)))
  }
}
