import Foundation
import ToDoModel
import ToDoStores

/// Measures the search for a text that no item contains, so that it looks at every item.
///
/// The first list has 100,000 items of ordinary length; wanted are at most 30 ms. The others have 1,000 items with
/// descriptions of 64 KiB, of ordinary text and of the text that is worst for the text searched; wanted are 500 MB/s.
enum SearchBenchmark {
  private static let rounds = 21

  static func run(in directory: String) async throws {
    let prose = String(repeating: "The quick brown fox jumps over the lazy dog near the river bank. ", count: 2_000)
    try await measure("100,000 items", "nowhere", in: "\(directory)/short.sqlite", count: 100_000) {
      "Two bottles, one loaf, and what else there is \($0)"
    }
    try await measure("64 KiB of prose", "nowhere", in: "\(directory)/prose.sqlite", count: 1_000) { _ in
      String(prose.prefix(65_536))
    }
    let worst = String(repeating: "a", count: 511)
    try await measure("64 KiB of one letter", worst + "b", in: "\(directory)/letter.sqlite", count: 1_000) { _ in
      String(repeating: "a", count: 65_536)
    }
    try await measure("64 KiB of Greek", worst + "\u{3b2}", in: "\(directory)/greek.sqlite", count: 1_000) { _ in
      String(repeating: "\u{391}", count: 32_768)
    }
  }

  private static func measure(
    _ name: String, _ text: String, in path: String, count: Int, _ description: (Int) -> String
  ) async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let service = LocalToDoService(store: store, itemLimit: count)
    var bytes = 0
    for start in stride(from: 0, to: count, by: count > 10_000 ? 500 : 40) {
      let items = (start..<min(start + (count > 10_000 ? 500 : 40), count)).map { number in
        let content = ItemContent(
          title: "Buy milk and bread \(number)", itemDescription: description(number),
          location: Location(name: "Corner shop", address: "1 High Street, Springfield"))
        bytes += content.title.utf8.count + (content.itemDescription?.utf8.count ?? 0) + 36
        return NewItem(id: ItemID(high: UInt64(start), low: UInt64(number)), content: content)
      }
      _ = try await service.addItems(items, allowingDuplicates: true)
    }
    var times: [Double] = []
    for _ in 0..<rounds {
      let start = ContinuousClock.now
      _ = try await service.items(ItemQuery(text: text))
      times.append((ContinuousClock.now - start) / .milliseconds(1))
    }
    let median = times.sorted()[rounds / 2]
    let rate = Double(bytes) / median / 1_000
    print("search, \(name): \((median * 10).rounded() / 10) ms, \(Int(rate)) MB/s")
    await store.close()
  }
}
