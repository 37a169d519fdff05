import ArgumentParser
import ToDoModel
import ToDoText

/// `todo tags`
struct TagsCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags", abstract: "List the tags of incomplete items, with the number of items.",
    usage: "todo tags [<options>]",
    discussion: "An item with the tag work/urgent also counts for work. The most used tags come first.")

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.withService { service in
      let counts = TagCounts(try await service.allItems(ItemQuery(state: .toDo)).items).sorted
      if session.options.json {
        let values = counts.map {
          JSONValue.object([.init("tag", .string($0.tag)), .init("count", .integer(Int64($0.count)))])
        }
        try session.print(JSONValue.array(values).indentedText)
      } else if session.options.quiet {
        try session.printLines(counts.map(\.tag))
      } else if counts.isEmpty {
        session.printNotice("No incomplete item has a tag. Add one with: todo add 'Buy milk' --tag errands")
      } else {
        let width = String(counts[0].count).count
        try session.printLines(
          counts.map { tag, count in
            let number = String(count)
            return String(repeating: " ", count: width - number.count) + number + "  " + TagText.text(of: [tag])
          })
      }
    }
  }
}

/// The tags of items, with the number of items that have them or a tag below them. Case does not distinguish tags.
struct TagCounts {
  private var counts: [String: (tag: String, count: Int)] = [:]

  init(_ items: [ToDoItem]) {
    for item in items {
      // Work for both `work/a` and `work/b` counts once.
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
