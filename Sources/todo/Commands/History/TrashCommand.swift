import ArgumentParser
import ToDoModel
import ToDoSupport
import ToDoText

/// `todo trash`
struct TrashCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "trash", abstract: "List the deleted items, or purge them.",
    usage: """
      todo trash [<options>]
      todo trash --empty [<options>]
      """,
    discussion: """
      'todo restore' restores deleted items. '--empty' prompts for confirmation. In a list that another user shares with you, only \
      its owner can purge them.

      With '--plain', the fields of a line are those of 'todo list --plain', and the time of the deletion in UTC.
      """)

  @Flag(help: "Purge all deleted items: nothing can restore them.") var empty = false

  @OptionGroup var format: PlainOptions

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try format.validate(with: global)
    if empty && format.plain { throw ValidationError("'--empty' and '--plain' cannot be combined") }
  }

  func run(in session: Session) async throws {
    try await session.withConnection { connection in
      guard empty else { return try await listItems(in: session, connection.service) }
      try connection.list?.checkIsOwn()
      try await removeItems(in: session, connection.service)
    }
  }

  private func listItems(in session: Session, _ service: any ToDoService) async throws {
    let listing = try await service.allItems(ItemQuery(deleted: .only))
    if session.options.json {
      try session.print(JSONValue(listing).indentedText)
    } else if session.options.quiet {
      try session.printLines(listing.items.map(\.id.description))
    } else if format.plain {
      try session.printLines(listing.items.map { $0.plainLine($0.deletion?.deletedAt.description ?? "") })
    } else if listing.items.isEmpty {
      session.printNotice(Self.emptyNotice)
    } else {
      let section = ListLayout.Section(title: "Deleted", rows: listing.items.map { row($0, in: session) })
      let layout = ListLayout(sections: [section], columns: session.context.columns)
      try session.printLines(layout.lines)
    }
  }

  /// Returns a deleted item's row, with the time of the deletion and the day until which the item is kept.
  private func row(_ item: ToDoItem, in session: Session) -> ListLayout.Row {
    let (today, zone) = (session.context.today, session.zone)
    let deletedAt = item.deletion.map { DueDate.time($0.deletedAt).shortText(today: today, in: zone) }
    let expiry = item.deletion.flatMap { zone.localTime(at: $0.expiresAt).date }
    let keptUntil = expiry.map { "kept until \(DueDate.date($0).shortText(today: today, in: zone))" }
    return ListLayout.Row(
      isOverdue: false, number: item.shortReference, title: item.title.escapingControls(), due: deletedAt ?? "",
      place: keptUntil ?? "")
  }

  private func removeItems(in session: Session, _ service: any ToDoService) async throws {
    guard try await isConfirmed(in: session, service) else {
      session.printNotice("Nothing was purged.")
      throw ExitStatus.failure
    }
    let result = try await service.deleteItems(.deleted)
    if session.options.json {
      let json = JSONValue(deletedCount: result.deletedCount, ids: .null, revision: result.revision)
      try session.print(json.indentedText)
    } else if result.deletedCount == 0 {
      session.printNotice(Self.emptyNotice)
    } else if !session.options.quiet {
      try session.print("Purged \(Self.text(result.deletedCount)).")
    }
  }

  private func isConfirmed(in session: Session, _ service: any ToDoService) async throws -> Bool {
    guard session.canPrompt else { return try session.confirm("Purge all deleted items? They can't be restored.") }
    let count = try await service.allItems(ItemQuery(deleted: .only)).items.count
    return try count == 0
      || session.confirm("Purge \(Self.text(count))? \(count == 1 ? "It" : "They") can't be restored.")
  }

  private static let emptyNotice = "The trash is empty."

  private static func text(_ count: Int) -> String { "\(count) deleted item\(count == 1 ? "" : "s")" }
}
