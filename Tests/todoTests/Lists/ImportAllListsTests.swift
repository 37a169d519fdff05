import Foundation
import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo import` of what `todo list --all-lists --json` prints.
@Suite(.unitTimeLimited) struct ImportAllListsTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func run(_ text: String, _ options: String = "", on bench: TestBench) async throws -> TestBench.Run {
    let file = directory.file("list.json")
    try Data(text.utf8).write(to: URL(filePath: file))
    return await bench.run("import \(file) \(options)")
  }

  private func export(_ bench: TestBench) async -> String {
    await bench.run("list --all-lists --all --json").output
  }

  /// Returns the titles by list, without lists that have no items.
  private func titles(_ bench: TestBench) async throws -> [String: [String]] {
    var titles: [String: [String]] = [:]
    for list in try await bench.lists.lists().lists {
      let items = try await bench.lists.items(in: list.id).items(ItemQuery(state: .all)).items
      if !items.isEmpty { titles[list.name] = items.map(\.title).sorted() }
    }
    return titles
  }

  /// A bench whose Inbox and Archive have an item with the same ID.
  private func benchWithCopies() async throws -> TestBench {
    let bench = TestBench()
    await bench.run("add Milk")
    await bench.run("add Bread")
    await bench.run("lists create Archive")
    #expect(try await run(await bench.run("list --json").output, "--list Archive", on: bench).status == .success)
    return bench
  }

  @Test func copiesInSeveralLists_areAllImported() async throws {
    let bench = try await benchWithCopies()
    let other = TestBench()
    let run = try await run(await export(bench), on: other)
    #expect(
      run.output == """
        Added 2 items to Inbox.
        Created the list Archive.
        Added 2 items to Archive.

        """)
    #expect(try await titles(other) == ["Inbox": ["Bread", "Milk"], "Archive": ["Bread", "Milk"]])
    #expect(try await self.run(await export(bench), on: other).output.contains("2 already in Archive."))
  }

  @Test func copiesInSeveralLists_whenImportedIntoOne_areOneUnlessTheyDiffer() async throws {
    let bench = try await benchWithCopies()
    await bench.run("check Archive/1")
    let other = TestBench()
    // Its IDs differ from those of the first bench.
    other.change { $0.addedCount = 10 }
    for counts in ["Added 3 items.\n", "Added 0 items.\n3 already in the list.\n"] {
      let run = try await run(await export(bench), "--list inbox", on: other)
      #expect(run.output == counts)
      #expect(run.status == .success)
    }
    #expect(try await titles(other) == ["Inbox": ["Bread", "Milk", "Milk"]])
  }
}
