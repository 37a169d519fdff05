import ArgumentParser
import ToDoModel

/// `todo uncheck`
struct UncheckCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "uncheck", abstract: "Mark items as incomplete.", usage: "todo uncheck <item> ... [<options>]")

  @Argument(help: ArgumentHelp(ItemReference.help, valueName: "item"))
  var items: [UserText]

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.changeItems(items, preferring: .done, verb: "Unchecked") {
      try await $0.uncheckItem($1, ifRevision: nil)
    }
  }
}
