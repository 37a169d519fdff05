import Foundation
import Glibc
import Testing
import ToDoClient
import ToDoModel
import ToDoTestServers
import ToDoTestSupport

/// Tests of a server whose database file is removed or replaced.
@Suite(.timeLimited, .blocking) struct RemovedDatabaseProcessTests {
  private func serve(_ directory: String, _ name: String) throws -> ServerProcess {
    try ServerProcess(
      ["serve", "--listen", "unix://\(directory)/\(name).sock", "--store", "sqlite:\(directory)/\(name).sqlite"],
      logFile: "\(directory)/\(name).log")
  }

  private func add(_ number: UInt64, to server: ServerProcess) async throws {
    let client = ToDoClient(endpoint: server.endpoints[0])
    let item = NewItem(id: ItemID(high: 0, low: number), content: ItemContent(title: "Item \(number)"))
    _ = try await client.addItem(item)
    await client.close()
  }

  private func log(_ directory: String) throws -> String {
    try String(contentsOfFile: "\(directory)/items.log", encoding: .utf8)
  }

  @Test func serve_whenDatabaseIsRemoved_endsWithTheReason() async throws {
    try await withTemporaryDirectory { directory in
      let server = try serve(directory, "items")
      try await add(1, to: server)
      try FileManager.default.removeItem(atPath: "\(directory)/items.sqlite")
      #expect(server.exitStatus() == 1)
      #expect(try log(directory).contains("\(directory)/items.sqlite was removed or renamed while it was open"))
    }
  }

  @Test func serve_whenDatabaseIsReplaced_endsAndLeavesTheNewFileIntact() async throws {
    try await withTemporaryDirectory { directory in
      let other = try serve(directory, "other")
      for number in 1...2 as ClosedRange<UInt64> { try await add(number, to: other) }
      #expect(other.terminate() == 0)
      let server = try serve(directory, "items")
      try await add(3, to: server)
      #expect(rename("\(directory)/other.sqlite", "\(directory)/items.sqlite") == 0)
      #expect(server.exitStatus() == 1)
      #expect(try log(directory).contains("\(directory)/items.sqlite was replaced by another file"))
      let check = try ProgramRun("todo-server", "check", "--store", "sqlite:\(directory)/items.sqlite")
      #expect(check.output == "Checked 2 items in 1 list.\n")
    }
  }
}
