import ArgumentParser
import ProgramSupport
import ToDoModel

/// `todo delete`
struct DeleteCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete items permanently.",
    usage: """
      todo delete <item> ... [<options>]
      todo delete --done [<options>]
      todo delete --all [<options>]
      """,
    discussion: "'--done' and '--all' prompt for confirmation.", aliases: ["rm"])

  @Argument(help: ArgumentHelp(ItemReference.help, valueName: "item"))
  var items: [UserText] = []

  @Flag(help: "Delete all completed items.") var done = false
  @Flag(help: "Delete all items.") var all = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard [!items.isEmpty, done, all].filter(\.self).count == 1 else {
      throw ValidationError("specify items, '--done' or '--all', and only one of these")
    }
  }

  func run(in session: Session) async throws {
    try await session.withService { service in
      if items.isEmpty {
        try await deleteAll(all ? .all : .done, in: session, service)
      } else {
        try await deleteItems(in: session, service)
      }
    }
  }

  private func deleteItems(in session: Session, _ service: any ToDoService) async throws {
    let outcome = try await session.forEachItem(items, in: service) { item in
      let revision = try await service.deleteItem(item.id, ifRevision: nil)
      if !session.options.json { try session.printLine(item, verb: "Deleted") }
      return (id: item.id, revision: revision)
    }
    if session.options.json {
      let ids = outcome.values.map { JSONValue.string($0.id.description) }
      try printJSON(outcome.values.count, .array(ids), outcome.values.map(\.revision).max(), in: session)
    }
    try outcome.throwIfFailed()
  }

  private func deleteAll(_ selection: BulkDeletion, in session: Session, _ service: any ToDoService) async throws {
    guard try await isConfirmed(selection, in: session, service) else {
      session.printNotice("Nothing was deleted.")
      throw ExitStatus.failure
    }
    let result = try await service.deleteItems(selection)
    if session.options.json {
      try printJSON(result.deletedCount, .null, result.revision, in: session)
    } else if !session.options.quiet {
      try session.print("Deleted \(Self.text(result.deletedCount, selection)).")
    }
  }

  private func isConfirmed(
    _ selection: BulkDeletion, in session: Session, _ service: any ToDoService
  ) async throws -> Bool {
    guard session.canPrompt else {
      return try session.confirm("Delete \(selection == .all ? "all" : "all completed") items?")
    }
    let count = try await service.allItems(ItemQuery(state: selection == .all ? .all : .done)).items.count
    return try count == 0 || session.confirm("Delete \(Self.text(count, selection))?")
  }

  private static func text(_ count: Int, _ selection: BulkDeletion) -> String {
    "\(count) \(selection == .done ? "completed " : "")item\(count == 1 ? "" : "s")"
  }

  /// - Parameter ids: the IDs of the deleted items, or null if the service does not return them.
  private func printJSON(_ count: Int, _ ids: JSONValue, _ revision: Revision?, in session: Session) throws {
    let result = JSONValue.object([
      .init("deletedCount", .integer(Int64(count))),
      .init("ids", ids),
      .init("revision", revision.map { .integer($0.number) } ?? .null),
    ])
    try session.print(result.indentedText)
  }
}
