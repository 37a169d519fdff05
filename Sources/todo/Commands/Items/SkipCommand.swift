import ArgumentParser
import ToDoModel
import ToDoText

/// `todo skip`
struct SkipCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip", abstract: "Move items that repeat on to their next occurrence, without checking them.",
    usage: "todo skip <item> ... [<options>]",
    discussion:
      "The next occurrence is the first one that isn't overdue. 'todo edit --repeat' sets how an item repeats.")

  @Argument(help: ArgumentHelp(ItemReference.help, valueName: "item"))
  var items: [UserText]

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.changeItems(
      items, words: words, verb: "Skipped",
      unless: { $0.isDone && $0.repetition != nil ? "already done" : nil }, text: session.nextText
    ) { service, item in
      let edit = try skip(item, in: session)
      return try await service.updateItem(
        item.id, edit, ifRevision: item.revision, options: SaveOptions(allowsDuplicate: true))
    }
  }

  /// Returns the edit that moves an item on.
  private func skip(_ item: ToDoItem, in session: Session) throws -> ItemEdit {
    guard let repetition = item.repetition else {
      throw Failure.usage(
        "\(item.shortReference) '\(item.title.escapingControls())' does not repeat", reason: "NOT_REPEATING",
        details: ["'todo edit \(item.shortReference) --repeat' sets how it repeats."])
    }
    guard let edit = ItemEdit(skipping: item, now: session.clock.now(), in: session.rules(of: repetition)) else {
      throw Failure.usage(
        "\(item.shortReference) has no further occurrence; check or delete it", reason: "NO_FURTHER_OCCURRENCE")
    }
    return edit
  }
}
