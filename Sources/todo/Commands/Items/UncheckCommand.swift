import ArgumentParser
import ToDoModel

struct UncheckCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "uncheck", abstract: "Mark items as to do again.", usage: "todo uncheck <id> ... [<options>]")

  @Argument(help: "The beginnings of the items' ids.")
  var ids: [String]

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.changeItems(ids, done: "Unchecked") { try await $0.uncheckItem($1, ifRevision: nil) }
  }
}
