import ToDoModel

/// The items whose titles contain words similar to words that no title contains.
struct NearMisses {
  /// At most three items, the most similar first.
  let items: [ToDoItem]

  init(of words: [String], in items: [ToDoItem]) {
    let words = words.map { Array($0.lowercased()) }
    let ranked = items.compactMap { item -> (distance: Int, item: ToDoItem)? in
      let title = item.title.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map(Array.init)
      let distances = words.map { word in
        (word, title.map { Self.distance(word, $0) }.min() ?? .max)
      }
      guard distances.allSatisfy({ $1 <= Self.tolerance(of: $0) }) else { return nil }
      return (distances.reduce(0) { $0 + $1.1 }, item)
    }
    self.items = ranked.sorted { ($0.distance, $0.item.number) < ($1.distance, $1.item.number) }.prefix(3).map(\.item)
  }

  /// The number of typing errors that a word may have.
  private static func tolerance(of word: [Character]) -> Int { word.count < 3 ? 0 : word.count < 6 ? 1 : 2 }

  /// The number of letters to insert, remove or replace, or of neighbors to swap, to make one word the other.
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard abs(left.count - right.count) <= 2 else { return .max }
    var (beforeLast, last) = ([Int](), Array(0...right.count))
    for row in 0..<left.count {
      var next = [row + 1]
      for column in 0..<right.count {
        let isEqual = left[row] == right[column]
        var best = min(last[column] + (isEqual ? 0 : 1), last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        next.append(best)
      }
      (beforeLast, last) = (last, next)
    }
    return last[right.count]
  }
}
