import ArgumentParser
import ToDoModel

/// `todo uncheck`
struct UncheckCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "uncheck", abstract: "Mark items as incomplete.", usage: "todo uncheck <id> ... [<options>]")

  @Argument(help: "The IDs of the items, or unique prefixes of them.")
  var ids: [String]

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.changeItems(ids, verb: "Unchecked") { try await $0.uncheckItem($1, ifRevision: nil) }
  }
}
