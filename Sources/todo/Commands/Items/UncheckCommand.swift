import ArgumentParser
import ToDoModel

/// `todo uncheck`
struct UncheckCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "uncheck", abstract: "Mark items as incomplete.", usage: "todo uncheck <item> ... [<options>]")

  @Argument(help: ArgumentHelp(ItemReference.help, valueName: "item"))
  var items: [UserText]

  @Flag(help: "Uncheck the items even if identical incomplete items exist.")
  var allowDuplicate = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.changeItems(items, preferring: .done, verb: "Unchecked") { service, id in
      do {
        return try await service.uncheckItem(id, ifRevision: nil, allowingDuplicate: allowDuplicate)
      } catch ToDoError.duplicateItem(_, let existing) {
        throw try await service.duplicateFailure(of: existing, verb: "uncheck")
      }
    }
  }
}
