import ArgumentParser
import ToDoModel

/// `todo restore`
struct RestoreCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore deleted items, or all lists from a backup.",
    usage: """
      todo restore <item> ... [<options>]
      todo restore --from <file> [<options>]
      """,
    discussion: """
      'todo trash' lists the deleted items.

      With '--from', a backup that 'todo backup' wrote replaces all lists on this machine. The backup is verified first. The \
      former lists stay next to the new ones, as items.sqlite.replaced-TIME. On a terminal, the command asks first; a script \
      needs '--yes'.
      """)

  @Argument(help: ArgumentHelp(ItemReference.help, valueName: "item"))
  var items: [UserText] = []

  @Option(help: ArgumentHelp("The backup with which to replace all lists on this machine.", valueName: "file"))
  var from: String?

  @Flag(help: "Restore the items even if identical incomplete items exist.")
  var allowDuplicate = false

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard from != nil else {
      if items.isEmpty { throw ValidationError("specify an item, or a backup with '--from'") }
      return
    }
    guard items.isEmpty, !allowDuplicate else {
      throw ValidationError(
        "'--from' replaces all lists, so it can't be combined with items or '--allow-duplicate'")
    }
  }

  func run(in session: Session) async throws {
    if let from {
      try session.rejectListOption("does not apply to backups, which have all lists; omit the option")
      return try session.restoreList(from: from)
    }
    try await session.changeItems(items, preferring: .all, deleted: .only, words: words, verb: "Restored") {
      service, item in
      do {
        return try await service.undeleteItem(item.id, ifRevision: nil, allowingDuplicate: allowDuplicate)
      } catch ToDoError.duplicateItem(_, let existing) {
        throw try await service.duplicateFailure(of: existing, verb: "restore")
      }
    }
  }
}
