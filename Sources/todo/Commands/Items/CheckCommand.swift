import ArgumentParser
import ToDoModel

/// `todo check`
struct CheckCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Mark items as done.", usage: "todo check <item> ... [<options>]", aliases: ["done"]
  )

  @Argument(help: ArgumentHelp(ItemReference.help, valueName: "item"))
  var items: [UserText]

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.changeItems(items, verb: "Checked") { try await $0.checkItem($1, ifRevision: nil) }
  }
}
