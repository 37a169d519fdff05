import ToDoModel

/// The tags of items, with the number of items that have them or a tag below them. Case does not distinguish tags.
struct TagCounts {
  private var counts: [String: (tag: String, count: Int)] = [:]

  init(_ items: [ToDoItem]) {
    for item in items {
      // An item with `work/a` and `work/b` counts once for `work`.
      var seen: Set<String> = []
      for path in item.tags {
        for tag in Tag.path(to: path) {
          guard seen.insert(tag.lowercased()).inserted else { continue }
          counts[tag.lowercased(), default: (tag, 0)].count += 1
        }
      }
    }
  }

  /// The tags, the most used first, then in alphabetical order.
  var sorted: [(tag: String, count: Int)] {
    counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.value)
  }
}
