import ArgumentParser
import ToDoModel
import ToDoText

/// `todo uncheck`
struct UncheckCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "uncheck", abstract: "Mark items as incomplete.", usage: "todo uncheck <item> ... [<options>]")

  @Argument(help: ArgumentHelp(ItemReference.help, valueName: "item"))
  var items: [UserText]

  @Flag(help: "Uncheck the items even if identical incomplete items exist.")
  var allowDuplicate = false

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.changeItems(
      items, preferring: .done, words: words, verb: "Unchecked", unless: { $0.isDone ? nil : "already incomplete" }
    ) {
      service, item in
      do {
        let unchecked = try await service.uncheckItem(item.id, ifRevision: nil, allowingDuplicate: allowDuplicate)
        if item.isUnchangedOccurrence, unchecked.id == item.id {
          session.printNotice(
            "\(item.shortReference) became an item of its own: the item that repeats has changed since, or its history is no longer kept."
          )
        }
        return unchecked
      } catch ToDoError.duplicateItem(_, let existing) {
        throw try await service.duplicateFailure(of: existing, verb: "uncheck")
      }
    }
  }
}
