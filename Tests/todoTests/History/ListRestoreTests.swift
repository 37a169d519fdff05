import Foundation
import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo restore --from`.
@Suite(.unitTimeLimited) struct ListRestoreTests {
  /// Makes a list of two items, and a backup of its first item.
  private func withBackup(_ body: (TestBench, _ directory: String) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let bench = TestBench(.init(environment: ["XDG_DATA_HOME": directory]))
      let store = try SQLiteToDoItemStore(path: "\(directory)/todo/items.sqlite")
      let service = LocalToDoService(store: store)
      for number: UInt64 in 1...2 {
        _ = try await service.addItem(NewItem(id: .sample(number), content: ItemContent(title: "Item \(number)")))
        if number == 1 { await bench.run("backup --to \(directory)/copy.sqlite") }
      }
      await store.close()
      try await body(bench, directory)
    }
  }

  private func itemCount(_ directory: String) throws -> Int {
    try DatabaseCheck(path: "\(directory)/todo/items.sqlite").run().itemCount
  }

  @Test func restore_whenConfirmed_replacesTheList_andKeepsTheFormer() async throws {
    try await withBackup { bench, directory in
      bench.change { ($0.isInteractive, $0.answers) = (true, ["y"]) }
      let run = await bench.run("restore --from \(directory)/copy.sqlite")
      let former = "\(directory)/todo/items.sqlite.replaced-20260429T081542Z"
      #expect(
        run
          == .init(
            status: .success,
            output: """
              Restored the lists from \(directory)/copy.sqlite, which has 1 item.
              The former lists are now \(former).

              """,
            error: "Replace all lists on this machine with \(directory)/copy.sqlite, which has 1 item? [y/N] "))
      let count1 = try itemCount(directory)
      #expect(count1 == 1)
      let count2 = try DatabaseCheck(path: former).run().itemCount
      #expect(count2 == 2)
    }
  }

  @Test func restore_whenNotConfirmed_changesNothing() async throws {
    try await withBackup { bench, directory in
      bench.change { ($0.isInteractive, $0.answers) = (true, ["n"]) }
      let run = await bench.run("restore --from \(directory)/copy.sqlite")
      #expect(run.error.hasSuffix("Nothing was restored.\n"))
      let count3 = try itemCount(directory)
      #expect(count3 == 2)
    }
  }

  @Test func restore_inAScript_needsYes() async throws {
    try await withBackup { bench, directory in
      #expect(await bench.run("restore --from \(directory)/copy.sqlite").status == .usage)
      let count4 = try itemCount(directory)
      #expect(count4 == 2)
      let run = await bench.run("restore --from \(directory)/copy.sqlite --yes --json")
      #expect(run.output.contains("\"previousPath\": \"\(directory)/todo/items.sqlite.replaced-"))
      let count5 = try itemCount(directory)
      #expect(count5 == 1)
    }
  }

  @Test func restore_whenFileIsNoBackup_changesNothing() async throws {
    try await withBackup { bench, directory in
      try "My thesis.".write(toFile: "\(directory)/thesis.txt", atomically: false, encoding: .utf8)
      #expect(await bench.run("restore --yes --from \(directory)/thesis.txt").error.contains("not an SQLite database"))
      let run = await bench.run("restore --yes --from \(directory)/nothing")
      #expect(run.error == "Error: there is no backup at \(directory)/nothing\n")
      let count6 = try itemCount(directory)
      #expect(count6 == 2)
    }
  }

  @Test func restore_whenListIsLost_bringsItBack() async throws {
    try await withBackup { bench, directory in
      try FileManager.default.removeItem(atPath: "\(directory)/todo/items.sqlite")
      try Data("x".utf8).write(to: URL(filePath: "\(directory)/todo/items.sqlite.reserve"))
      let run = await bench.run("restore --yes --from \(directory)/copy.sqlite")
      #expect(run.output == "Restored the lists from \(directory)/copy.sqlite, which has 1 item.\n")
      let count7 = try itemCount(directory)
      #expect(count7 == 1)
    }
  }

  @Test(arguments: ["1 --from copy", "--from copy --allow-duplicate", ""])
  func restore_whenArgumentsConflict_isUsageError(_ line: String) async {
    #expect(await TestBench().run("restore \(line)").status == .usage)
  }

  @Test func restore_ofServer_isRejected() async {
    let run = await TestBench().run("restore --yes --from copy --server unix:///nowhere")
    #expect(run.error == "Error: cannot restore the lists of a server; run 'todo-server restore' on the server\n")
  }
}
