import ArgumentParser
import ToDoModel

struct CheckCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Mark items as done.", usage: "todo check <id> ... [<options>]")

  @Argument(help: "The beginnings of the items' ids.")
  var ids: [String]

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.changeItems(ids, done: "Checked") { try await $0.checkItem($1, ifRevision: nil) }
  }
}
