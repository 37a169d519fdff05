import ArgumentParser
import ToDoModel
import ToDoText

/// `todo tags`
struct TagsCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags", abstract: "List the tags of incomplete items, and how many items have each.",
    usage: "todo tags [<options>]",
    discussion: "An item with the tag work/urgent also counts for work. The most-used tags come first.")

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
          counts.map { String($0.count).padded(toLeftWidth: width) + "  " + TagText.text(of: [$0.tag]) })
      }
    }
  }
}
