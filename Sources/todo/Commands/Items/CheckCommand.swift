import ArgumentParser
import ToDoModel

/// `todo check`
struct CheckCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Mark items as done.", usage: "todo check <id> ... [<options>]")

  @Argument(help: "The IDs of the items, or unique prefixes of them.")
  var ids: [String]

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.changeItems(ids, verb: "Checked") { try await $0.checkItem($1, ifRevision: nil) }
  }
}
