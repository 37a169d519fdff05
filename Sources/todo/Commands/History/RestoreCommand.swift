import ArgumentParser
import ToDoModel

/// `todo restore`
struct RestoreCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore deleted items.", usage: "todo restore <item> ... [<options>]",
    discussion: "'todo trash' lists the deleted items.")

  @Argument(help: ArgumentHelp(ItemReference.help, valueName: "item"))
  var items: [UserText]

  @Flag(help: "Restore the items even if identical incomplete items exist.")
  var allowDuplicate = false

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.changeItems(items, preferring: .all, deleted: .only, words: words, verb: "Restored") {
      service, item in
      do {
        return try await service.undeleteItem(item.id, allowingDuplicate: allowDuplicate, ifRevision: nil)
      } catch ToDoError.duplicateItem(_, let existing) {
        throw try await service.duplicateFailure(of: existing, verb: "restore")
      }
    }
  }
}
