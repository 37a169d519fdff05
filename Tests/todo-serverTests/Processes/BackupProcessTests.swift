import Foundation
import Testing
import ToDoClient
import ToDoModel
import ToDoSQLite
import ToDoStores
import ToDoTestProcesses
import ToDoTestServers
import ToDoTestSupport

/// Tests of backups, restores and checks in separate processes.
@Suite(.timeLimited, .blocking) struct BackupProcessTests {
  private func add(_ count: UInt64, to server: ServerProcess) async throws {
    let client = ToDoClient(endpoint: server.endpoints[0])
    for number in 0..<count {
      let item = NewItem(id: ItemID(high: 0, low: number), content: ItemContent(title: "Item \(number)"))
      _ = try await client.addItem(item)
    }
    await client.close()
  }

  private func serve(_ directory: String, logFile: String? = nil) throws -> ServerProcess {
    try ServerProcess(
      ["serve", "--listen", "unix://\(directory)/todo.sock", "--store", "sqlite:\(directory)/items.sqlite"],
      logFile: logFile)
  }

  @Test func backup_whileServerRuns_isRestoredAfterItStops() async throws {
    try await withTemporaryDirectory { directory in
      let store = "sqlite:\(directory)/items.sqlite"
      let server = try serve(directory)
      try await add(3, to: server)
      let backup = try ProgramRun(
        "todo-server", "backup", "--store", store, "--to", "\(directory)/backups/", "--keep", "2")
      #expect(backup.status == 0, "\(backup.output)")
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: "\(directory)/backups").first)
      try await add(5, to: server)

      let file = "\(directory)/backups/\(name)"
      let refused = try ProgramRun("todo-server", "restore", file, "--store", store)
      #expect(refused.status == 1)
      #expect(refused.output.contains("is in use by process \(server.processID)"), "\(refused.output)")
      #expect(server.terminate() == 0)

      let restore = try ProgramRun("todo-server", "restore", file, "--store", store)
      #expect(restore.status == 0, "\(restore.output)")
      #expect(restore.output.contains("The previous database is \(directory)/items.sqlite.replaced-"))
      let check = try ProgramRun("todo-server", "check", "--store", store)
      #expect(check.output == "Checked 3 items in 1 list.\n")
      #expect(check.status == 0)
    }
  }

  @Test func backup_whenOneOfSeveralFails_writesTheNext() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      let (output, error) = (try ProcessPipe(), try ProcessPipe())
      let process = try SpawnedProcess(
        builtProgram("todo-server").path,
        ["backup", "--store", "sqlite:\(path)", "--to", "\(directory)/backups/", "--every", "10ms"],
        output: .pipe(output), error: .pipe(error))
      let reason = "there is no database at \(path)"
      #expect(try error.readingEnd.read(upTo: reason).contains(reason))
      let store = try SQLiteToDoItemStore(path: path)
      let name = "Wrote \(directory)/backups/items-"
      #expect(try output.readingEnd.read(upTo: name).contains(name))
      await store.close()
      process.signal(SIGKILL)
      process.wait()
    }
  }

  @Test func serve_whenDatabaseIsInconsistent_logsRemedy() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      let store = try SQLiteToDoItemStore(path: path)
      await store.close()
      try SQLiteConnection(path: path).execute("INSERT INTO owner (name, revision, item_count) VALUES ('local', 0, 7)")
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      let log = "\(directory)/log"
      let server = try serve(directory, logFile: log)
      #expect(server.terminate() == 0)
      let text = try String(contentsOfFile: log, encoding: .utf8)
      #expect(text.contains("is inconsistent: item count: list local has 0 items, not 7"), "\(text)")
      #expect(text.contains("run 'todo-server check --repair'"))
      #expect(text.contains("run 'chmod 600 \(path)'"))
      let repair = try ProgramRun("todo-server", "check", "--repair", "--store", "sqlite:\(path)")
      #expect(repair.status == 0, "\(repair.output)")
    }
  }

  @Test func userRemove_whenPurging_deletesList() async throws {
    try await withTemporaryDirectory { directory in
      let store = "sqlite:\(directory)/items.sqlite"
      let server = try serve(directory)
      try await add(3, to: server)
      #expect(try ProgramRun("todo-server", "user", "add", "ann", "--list", "local", "--store", store).status == 0)
      #expect(try ProgramRun("todo-server", "user", "add", "bob", "--list", "local", "--store", store).status == 0)
      let shared = try ProgramRun("todo-server", "user", "remove", "ann", "--purge", "--store", store)
      #expect(shared.output.contains("ann's list is also bob's"))
      #expect(try ProgramRun("todo-server", "user", "remove", "bob", "--store", store).status == 0)
      let purge = try ProgramRun("todo-server", "user", "remove", "ann", "--purge", "--store", store)
      #expect(purge.output.contains("Purged the list local with its history: 3 rows."), "\(purge.output)")
      #expect(server.terminate() == 0)
      #expect(try ProgramRun("todo-server", "check", "--store", store).output == "Checked 0 items in 1 list.\n")
    }
  }

  @Test(arguments: [
    (["backup", "--to", "/nowhere/copy"], "there is no database at"),
    (["backup", "--to", "/dev/null", "--every", "6h"], "require a directory"),
    (["backup", "--to", "/tmp/", "--every", "soon"], "is not a valid duration; use a form such as 6h"),
    (["backup", "--to", "/tmp/", "--keep", "0"], "is not a valid number; use 1 or more"),
    (["restore", "/nowhere/copy"], "there is no database at"), (["check"], "there is no database at"),
    (["check", "--store", "memory:"], "is not a database file"),
  ])
  func maintenance_whenItCannotRun_printsReason(_ arguments: [String], _ message: String) async throws {
    try await withTemporaryDirectory { directory in
      let run = try ProgramRun("todo-server", arguments, environment: ["XDG_DATA_HOME": directory])
      #expect(run.status != 0)
      #expect(run.output.contains(message), "\(run.output)")
      #expect(!FileManager.default.fileExists(atPath: "\(directory)/todo/items.sqlite"))
    }
  }
}
