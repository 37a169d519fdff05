import Foundation
import Testing
import ToDoClient
import ToDoModel
import ToDoSQLite
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoStores

/// Tests of the effects of administrative commands on a running server.
@Suite(.timeLimited, .blocking) struct AccountChangeProcessTests {
  private func expectRejection(_ server: ServerProcess) async {
    let client = ToDoClient(endpoint: server.endpoints[0], configuration: TestClient.configuration())
    await #expect(throws: ToDoError.unauthenticated) { try await client.items(ItemQuery()) }
    await client.close()
  }

  @Test func anonymousAccess_whenFirstUserIsAdded_endsPermanently() async throws {
    try await withTemporaryDirectory { directory in
      let store = "sqlite:\(directory)/items.sqlite"
      let arguments = ["serve", "--listen", "tcp://127.0.0.1:0", "--store", store]
      let server = try ServerProcess(arguments)
      let client = ToDoClient(endpoint: server.endpoints[0], configuration: TestClient.configuration())
      _ = try await client.addItem(NewItem(id: ItemID(high: 0, low: 1), content: ItemContent(title: "Ann's")))
      let watch = Subscription(client.watch(from: .snapshot, state: .all))
      while try await watch.next() != .snapshotEnd(Revision(1)) {}

      #expect(try ProgramRun("todo-server", "user", "add", "ann", "--list", "local", "--store", store).status == 0)
      await #expect(throws: ToDoError.unauthenticated) { while try await watch.next() != nil {} }
      await #expect(throws: ToDoError.unauthenticated) { try await client.items(ItemQuery()) }
      await client.close()
      #expect(try ProgramRun("todo-server", "user", "remove", "ann", "--store", store).status == 0)
      await expectRejection(server)
      #expect(server.terminate() == 0)

      let restarted = try ServerProcess(arguments)
      await expectRejection(restarted)
      #expect(restarted.terminate() == 0)
    }
  }

  // Before the first user, all callers share the list 'local', as on a machine of their own.
  @Test func writeRate_whenFirstUserHasListLocal_isLimited() async throws {
    try await withTemporaryDirectory { directory in
      let store = "sqlite:\(directory)/items.sqlite"
      let server = try ServerProcess(
        "serve", "--listen", "tcp://127.0.0.1:0", "--store", store, "--limit", "item-rate=1", "--limit", "item-burst=1")
      @Sendable func add(_ number: UInt64, as client: ToDoClient) async throws {
        _ = try await client.addItem(
          NewItem(id: ItemID(high: 0, low: number), content: ItemContent(title: "\(number)")))
      }
      let anyone = ToDoClient(endpoint: server.endpoints[0], configuration: TestClient.configuration())
      for number in 1...10 as ClosedRange<UInt64> { try await add(number, as: anyone) }
      await anyone.close()

      #expect(try ProgramRun("todo-server", "user", "add", "ann", "--list", "local", "--store", store).status == 0)
      var configuration = TestClient.configuration()
      let output = try ProgramRun("todo-server", "token", "add", "ann", "--store", store).output
      configuration.token = output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("todo_") }.map(
        String.init)
      let ann = ToDoClient(endpoint: server.endpoints[0], configuration: configuration)
      // The rate allows only one item a second.
      await #expect {
        for number in 11...100 as ClosedRange<UInt64> { try await add(number, as: ann) }
      } throws: { error in
        if case ToDoError.writeRateExceeded = error { true } else { false }
      }
      await ann.close()
      #expect(server.terminate() == 0)
    }
  }

  @Test(arguments: [
    ["user", "list"], ["user", "remove", "ann"], ["token", "add", "ann"], ["token", "list"],
    ["token", "revoke", "0123456789abcdef"],
  ])
  func accountCommand_whenDatabaseIsMissing_failsAndCreatesNothing(_ arguments: [String]) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/typo.sqlite"
      let run = try ProgramRun("todo-server", arguments + ["--store", "sqlite:\(path)"])
      #expect(run.status != 0)
      #expect(run.output.contains("no database at \(path)"), "\(run.output)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
    }
  }

  @Test func health_whenDatabaseIsMigrated_isNotServing() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      let server = try ServerProcess("serve", "--listen", "tcp://127.0.0.1:0", "--store", "sqlite:\(path)")
      let client = ToDoClient(endpoint: server.endpoints[0], configuration: TestClient.configuration(retries: 10))
      #expect(try await client.isServing())
      var file = DatabaseFile(path: path)
      file.migrations.append(Migration(sql: "CREATE TABLE later (text TEXT)"))
      _ = try file.migrate()
      // The server detects the migration within about a second. Each request waits for its response.
      while try await client.isServing() {}
      await #expect(throws: ToDoError.self) {
        try await client.addItem(NewItem(id: ItemID(high: 0, low: 1), content: ItemContent(title: "Late")))
      }
      await client.close()
      let run = try ProgramRun("todo-server", "user", "add", "ann", "--store", "sqlite:\(path)")
      #expect(run.status != 0)
      #expect(run.output.contains("was made by a newer version"), "\(run.output)")
      #expect(server.terminate() == 0)
    }
  }

  @Test func health_whenTheSchemaIsCurrentAgain_isServing() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      let server = try ServerProcess("serve", "--listen", "tcp://127.0.0.1:0", "--store", "sqlite:\(path)")
      let client = ToDoClient(endpoint: server.endpoints[0], configuration: TestClient.configuration(retries: 10))
      // The server writes at its start, so the lock is soon free. The limit of the test ends a longer wait.
      let database = try SQLiteConnection(path: path) { _ in sched_yield() == 0 }
      let version = try #require(try database.number("PRAGMA user_version"))
      try database.execute("PRAGMA user_version = \(version + 1)")
      try await withWaitLimit("the health did not change") { while try await client.isServing() {} }
      try database.execute("PRAGMA user_version = \(version)")
      try await withWaitLimit("the health did not change back") { while try await !client.isServing() {} }
      try database.close()
      await client.close()
      #expect(server.terminate() == 0)
    }
  }

  @Test func userList_whenNamesHaveControlCharacters_escapesThem() async throws {
    try await withTemporaryDirectory { directory in
      let store = "sqlite:\(directory)/items.sqlite"
      let add = ["user", "add", "ann", "--list", "a\u{1B}[2J\tb", "--certificate", "CN=\u{202E}x", "--store", store]
      #expect(try ProgramRun("todo-server", add).status == 0)
      let list = try ProgramRun("todo-server", "user", "list", "--store", store)
      #expect(list.text == "ann\ta\\u{1B}[2J\\u{9}b\tcertificate of CN=\\u{202E}x")
      let remove = try ProgramRun("todo-server", "user", "remove", "ann", "--store", store)
      #expect(remove.text.hasSuffix(" --list a\\u{1B}[2J\\u{9}b"))
    }
  }

  @Test func migrate_whenDatabaseIsOlder_updatesSchema() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      var file = DatabaseFile(path: path)
      file.migrations = Array(Migration.all.dropLast())
      try file.open().close()
      let listing = try ProgramRun("todo-server", "user", "list", "--store", "sqlite:\(path)")
      #expect(listing.status != 0)
      #expect(listing.output.contains("run 'todo-server migrate'"), "\(listing.output)")
      let (old, new) = (Migration.all.count - 1, Migration.all.count)
      let first = try ProgramRun("todo-server", "migrate", "--store", "sqlite:\(path)")
      #expect(first.text == "Migrated \(path) from schema version \(old) to \(new).")
      let second = try ProgramRun("todo-server", "migrate", "--store", "sqlite:\(path)")
      #expect(second.text == "\(path) already has schema version \(new).")
      #expect(try ProgramRun("todo-server", "user", "list", "--store", "sqlite:\(path)").status == 0)
    }
  }
}
