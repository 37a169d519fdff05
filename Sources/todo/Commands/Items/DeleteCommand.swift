import ArgumentParser
import ToDoModel
import ToDoSupport
import ToDoText

/// `todo delete`
struct DeleteCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete items.",
    usage: """
      todo delete <item> ... [<options>]
      todo delete --done [<options>]
      todo delete --all [<options>]
      """,
    discussion: """
      'todo trash' lists the deleted items, and 'todo restore' restores them. '--done' and '--all' prompt for \
      confirmation.
      """, aliases: ["rm"])

  @Argument(help: ArgumentHelp(ItemReference.help, valueName: "item"))
  var items: [UserText] = []

  @Flag(help: "Delete all done items.") var done = false
  @Flag(help: "Delete all items.") var all = false

  @Flag(
    help: """
      If the disk or the quota is full, purge the items instead, and others in the trash to make room. Only the owner \
      of a list can. (default: ask, or fail in a script)
      """)
  var permanently = false

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard [!items.isEmpty, done, all].filter(\.self).count == 1 else {
      throw ValidationError("specify items, '--done' or '--all', and only one of these")
    }
  }

  func run(in session: Session) async throws {
    try await session.withService(deleting: true) { service in
      if items.isEmpty {
        try await deleteAll(all ? .all : .done, in: session, service)
      } else {
        try await deleteItems(in: session, service)
      }
    }
  }

  private func deleteItems(in session: Session, _ service: any ToDoService) async throws {
    var permission = PermanentDeletion(isPermitted: permanently)
    let outcome = try await session.forEachItem(items, words: words, in: service) { item in
      let result = try await permission.perform(in: session) { permanentlyIfFull in
        try await service.deleteItem(item.id, ifRevision: nil, permanentlyIfFull: permanentlyIfFull)
      }
      permission.add(isPermanent: result.isPermanent, removedCount: result.removedCount)
      if !session.options.json { try session.printLine(item, verb: "Deleted") }
      return (id: item.id, revision: result.revision)
    }
    if session.options.json {
      let ids = outcome.values.map { JSONValue.string($0.id.description) }
      let json = JSONValue(
        deletedCount: ids.count, ids: .array(ids), revision: outcome.values.map(\.revision).max())
      try session.print(json.indentedText)
    }
    printHint(outcome.values.count, permission, in: session)
    try outcome.throwIfFailed()
  }

  private func deleteAll(_ selection: BulkDeletion, in session: Session, _ service: any ToDoService) async throws {
    guard try await isConfirmed(selection, in: session, service) else {
      session.printNotice("Nothing was deleted.")
      throw ExitStatus.failure
    }
    var permission = PermanentDeletion(isPermitted: permanently)
    let result = try await permission.perform(in: session) { permanentlyIfFull in
      try await service.deleteItems(selection, permanentlyIfFull: permanentlyIfFull)
    }
    permission.add(isPermanent: result.isPermanent, removedCount: result.removedCount)
    if session.options.json {
      let json = JSONValue(deletedCount: result.deletedCount, ids: .null, revision: result.revision)
      try session.print(json.indentedText)
    } else if !session.options.quiet {
      try session.print("Deleted \(selection.text(result.deletedCount)).")
    }
    printHint(result.deletedCount, permission, in: session)
  }

  /// Prints what was purged, or the command that restores the deleted items, if the user is at a terminal. One run's
  /// deletions are one change.
  private func printHint(_ count: Int, _ permission: PermanentDeletion, in session: Session) {
    if let notice = permission.notice { return session.printNotice(notice) }
    guard count > 0, session.context.terminal.errorIsTerminal else { return }
    session.printNotice("'todo undo\(PrintedList.option)' restores \(count > 1 ? "them" : "it").")
  }

  private func isConfirmed(
    _ selection: BulkDeletion, in session: Session, _ service: any ToDoService
  ) async throws -> Bool {
    guard session.canPrompt else {
      return try session.confirm("Delete \(selection == .all ? "all" : "all done") items?")
    }
    let count = try await service.allItems(ItemQuery(state: selection == .all ? .all : .done)).items.count
    return try count == 0 || session.confirm("Delete \(selection.text(count))?")
  }
}
