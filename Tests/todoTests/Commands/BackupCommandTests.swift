import Foundation
import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct BackupCommandTests {
  private func withList(_ body: (TestBench, _ directory: String) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let store = try SQLiteToDoItemStore(path: "\(directory)/todo/items.sqlite")
      let service = LocalToDoService(store: store)
      _ = try await service.addItem(NewItem(id: .sample(1), content: ItemContent(title: "Milk")))
      try await body(TestBench(.init(environment: ["XDG_DATA_HOME": directory])), directory)
      await store.close()
    }
  }

  @Test func backup_writesCopyOfList() async throws {
    try await withList { bench, directory in
      let run = await bench.run("backup --to \(directory)/copy.sqlite")
      #expect(run == TestBench.Run(status: .success, output: "Wrote \(directory)/copy.sqlite.\n", error: ""))
      let report = try DatabaseCheck(path: "\(directory)/copy.sqlite").run()
      #expect(report.itemCount == 1)
    }
  }

  @Test func backup_toDirectory_isNamedByTime() async throws {
    try await withList { bench, directory in
      let run = await bench.run("backup --to \(directory)/copies/ --keep 1 --json")
      #expect(run.output == "{\n  \"path\": \"\(directory)/copies/items-20260429T081542Z.sqlite\"\n}\n")
      bench.clock.advance(by: .seconds(60))
      await bench.run("backup --to \(directory)/copies --keep 1")
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(directory)/copies")
      #expect(names == ["items-20260429T081642Z.sqlite"])
    }
  }

  @Test func backup_onTerminal_showsProgress() async throws {
    try await withList { bench, directory in
      bench.change { $0.isInteractive = true }
      let run = await bench.run("backup --to \(directory)/copy.sqlite")
      #expect(run.error == "\r\u{1B}[KVerifying the backup\r\u{1B}[K")
    }
  }

  @Test func backup_overAnotherFile_isRejected() async throws {
    try await withList { bench, directory in
      let path = "\(directory)/thesis.txt"
      try "My thesis.".write(toFile: path, atomically: false, encoding: .utf8)
      let run = await bench.run("backup --to \(path)")
      #expect(
        run
          == .init(
            status: .failure, output: "",
            error: "Error: \(path) exists and is no backup of this list: it isn't a database; "
              + "choose another file, or move this one away\n"))
      let content = try String(contentsOfFile: path, encoding: .utf8)
      #expect(content == "My thesis.")
    }
  }

  @Test func backup_ofServer_isRejected() async throws {
    let run = await TestBench().run("backup --to copy.sqlite --server unix:///nowhere")
    #expect(run.status == .usage)
    #expect(
      run.error == "Error: cannot back up the lists of a server; run 'todo-server backup' on the server\n")
  }

  @Test func backup_whenListDoesNotExist_createsNoFile() async throws {
    try await withTemporaryDirectory { directory in
      let run = await TestBench(.init(environment: ["XDG_DATA_HOME": directory])).run("backup --to \(directory)/copy")
      #expect(run.status == .unreachable)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(names == [])
    }
  }
}
