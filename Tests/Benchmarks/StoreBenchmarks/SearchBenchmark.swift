import Foundation
import ToDoModel
import ToDoRules
import ToDoStores

/// Measures searches for a text that no item contains, so that they read every item.
///
/// The first list has 100,000 items of ordinary length; the goal is at most 30 ms. The others have 1,000 items with
/// descriptions of 64 KiB, of ordinary text and of the worst case for the needle; the goal is 500 MB/s.
/// These lists are too long for a search index, so they are read from the database row by row.
enum SearchBenchmark {
  private static let rounds = 21
  private static let worst = String(repeating: "a", count: 511)

  /// The name of a kind of text, a part that is repeated, and a text that no description contains.
  private static let kinds: [(name: String, part: String, text: String)] = [
    ("ASCII", "The quick brown fox jumps over the lazy dog near the river bank. ", "nowhere"),
    ("ASCII, worst case", "a", worst + "b"),
    ("Greek", "Η γρήγορη καφέ αλεπού πηδάει πάνω από το τεμπέλικο σκυλί. ", "πουθενά"),
    ("Greek, worst case", "\u{391}", String(repeating: "\u{3b1}", count: 255) + "\u{3b2}"),
    ("Cyrillic", "Съешь же ещё этих мягких французских булок, да выпей чаю. ", "нигде"),
    ("combining characters", "e\u{301}", "x\u{301}"),
    ("combining characters, worst case", "e\u{301}", String(repeating: "e\u{301}", count: 170) + "x"),
    ("decomposed Hangul", "\u{1112}\u{1161}\u{11ab}", "나"),
    ("unordered combining characters", "o\u{301}\u{323}", "x"),
    ("ideographs", "素早い茶色の狐がのろまな犬を飛び越える。", "牛乳"),
  ]

  static func run(in directory: String) async throws {
    for kind in kinds { measureFilter(kind.name, kind.text, in: description(of: kind.part)) }
    try await measure("100,000 items", "nowhere", in: "\(directory)/short.sqlite", count: 100_000) {
      "Two bottles, one loaf, and what else there is \($0)"
    }
    for (index, kind) in kinds.enumerated() {
      let text = description(of: kind.part)
      let name = "1,000 items of 64 KiB, \(kind.name)"
      try await measure(name, kind.text, in: "\(directory)/\(index).sqlite", count: 1_000) { _ in text }
    }
  }

  private static func description(of part: String) -> String {
    String(repeating: part, count: 65_536 / part.utf8.count)
  }

  /// Measures folding and searching a text in memory.
  private static func measureFilter(_ name: String, _ text: String, in description: String) {
    let (filter, size) = (TextFilter(text), description.utf8.count)
    var (texts, times, description) = (FoldedText(), [Double](), description)
    for _ in 0..<rounds * 10 {
      let start = ContinuousClock.now
      texts.removeAll()
      description.withUTF8 { texts.append($0) }
      precondition(!filter.matches(texts))
      times.append((ContinuousClock.now - start) / .microseconds(1))
    }
    let median = times.sorted()[times.count / 2]
    print("filter, \(name): \(Int(Double(size) / median)) MB/s, at best \(Int(Double(size) / (times.min() ?? 1)))")
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
      _ = try await service.addItems(items, options: SaveOptions(allowsDuplicate: true))
    }
    var times: [Double] = []
    for _ in 0..<rounds {
      let start = ContinuousClock.now
      let listing = try await service.items(ItemQuery(text: text))
      precondition(listing.items.isEmpty)
      times.append((ContinuousClock.now - start) / .milliseconds(1))
    }
    let (first, sorted) = (times[0], times.sorted())
    let rate = Double(bytes) / sorted[rounds / 2] / 1_000
    let figures = [sorted[rounds / 2], sorted[0], first].map { "\(($0 * 10).rounded() / 10) ms" }
    print("search, \(name): p50 \(figures[0]), \(Int(rate)) MB/s, at best \(figures[1]), the first \(figures[2])")
    await store.close()
    try? FileManager.default.removeItem(atPath: path)
  }
}
