import ArgumentParser
import ToDoModel
import ToDoText

/// `todo tags`
struct TagsCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags", abstract: "List the tags of incomplete items with their numbers of items, or rename a tag.",
    usage: """
      todo tags [<options>]
      todo tags rename <tag> <new-tag> [<options>]
      """,
    discussion: """
      An item with the tag work/urgent also counts for work. The most-used tags come first.

      'rename' changes a tag on all items, done ones too, and the tags below it: if work becomes job, work/urgent becomes \
      job/urgent. An item that has both tags keeps one. 'todo undo' takes it back.
      """)

  @Argument(help: ArgumentHelp("'rename', the tag and the new tag.", valueName: "rename> <tag> <new-tag"))
  var words: [UserText] = []

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard let first = words.first else { return }
    guard first.text == Self.rename else {
      throw ValidationError("'\(first.text.escapingControls())' is not a change of tags; write 'todo tags rename'")
    }
    guard words.count == 3 else { throw ValidationError("'todo tags rename' needs a tag and its new name") }
  }

  func run(in session: Session) async throws {
    guard !words.isEmpty else { return try await list(in: session) }
    let renaming = TagRenaming(from: try Self.tag(words[1]), to: try Self.tag(words[2]))
    try await session.withService { service in
      let result = try await service.renameTag(renaming)
      let (from, to) = (TagText.text(of: [renaming.from]), TagText.text(of: [renaming.to]))
      if session.options.json {
        try session.print(
          JSONValue.object([
            .init("renamedCount", .integer(Int64(result.renamedCount))),
            .init("revision", .integer(result.revision.number)),
          ]).indentedText)
      } else if result.renamedCount == 0 {
        session.printNotice("No item has the tag \(from).")
      } else if !session.options.quiet {
        try session.print(
          "Renamed \(from) to \(to) on \(result.renamedCount) item\(result.renamedCount == 1 ? "" : "s").")
      }
      if result.renamedCount > 0 { session.printUndoHint() }
    }
  }

  /// The word that begins a renaming.
  static let rename = "rename"

  private static func tag(_ word: UserText) throws -> String {
    let tags = try [word].tags
    guard tags.count == 1 else { throw Failure.usage("'\(word.text.escapingControls())' is more than one tag") }
    return tags[0]
  }

  private func list(in session: Session) async throws {
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
