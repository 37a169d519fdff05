import Foundation
import Glibc
import Testing
import ToDoClient
import ToDoSQLite
import ToDoStores
import ToDoTestProcesses
import ToDoTestServers
import ToDoTestSupport

/// Tests of SIGHUP, which a service manager sends to reload a server and a terminal when it closes.
@Suite(.timeLimited, .blocking) struct HangupProcessTests {
  @Test func hangup_withoutTLS_isLoggedAndIgnored() async throws {
    try await withTemporaryDirectory { directory in
      let log = "\(directory)/log"
      let server = try ServerProcess(
        ["serve", "--listen", "unix://\(directory)/todo.sock", "--store", "memory:"], logFile: log)
      server.signal(SIGHUP)
      let client = ToDoClient(endpoint: server.endpoints[0])
      repeat { #expect(try await client.isServing()) } while try !text(log).contains("SIGHUP was ignored")
      await client.close()
      #expect(server.terminate() == 0)
      #expect(try text(log).contains("there is no certificate to reload"))
    }
  }

  @Test func hangup_whileServerShutsDown_isIgnored() async throws {
    try await withTemporaryDirectory { directory in
      let server = try ServerProcess(
        "serve", "--listen", "unix://\(directory)/todo.sock", "--store", "sqlite:\(directory)/items.sqlite")
      server.signal(SIGTERM)
      for _ in 0..<20 { server.signal(SIGHUP) }
      #expect(server.terminatingSignal() == nil)
    }
  }

  @Test func hangup_whileServerStarts_isIgnored() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      let store = try SQLiteToDoItemStore(path: path)
      await store.close()
      // The server waits for the lock when it opens the database.
      let lock = try SQLiteConnection(path: path)
      try lock.execute("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
      let output = try ProcessPipe()
      let process = try SpawnedProcess(
        builtProgram("todo-server").path,
        ["serve", "--listen", "unix://\(directory)/todo.sock", "--store", "sqlite:\(path)"], environment: [:],
        output: .pipe(output), error: .null)
      ProcessGuard.shared.add(process)
      defer { ProcessGuard.shared.remove(process) }
      try await waitUntil("the server handles SIGHUP") { try isHangupHandled(process.id) }
      process.signal(SIGHUP)
      try lock.close()
      #expect(try output.readingEnd.readLines(1).hasPrefix("listening on "))
      process.signal(SIGTERM)
      #expect(process.wait() == .exited(0))
    }
  }

  /// Whether a process ignores or catches SIGHUP.
  private func isHangupHandled(_ process: Int32) throws -> Bool {
    let status = try text("/proc/\(process)/status")
    return status.split(separator: "\n").contains { line in
      let words = line.split(separator: "\t")
      guard let name = words.first, ["SigIgn:", "SigCgt:"].contains(name), let last = words.last else { return false }
      return UInt64(last, radix: 16).map { $0 & 1 == 1 } ?? false
    }
  }

  private func text(_ file: String) throws -> String { try String(contentsOfFile: file, encoding: .utf8) }
}
