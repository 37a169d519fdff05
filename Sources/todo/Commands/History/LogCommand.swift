import ArgumentParser
import ToDoModel
import ToDoText

/// `todo log`
struct LogCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "List the changes of the list or of an item, the latest first.",
    usage: "todo log [<item>] [<options>]",
    discussion: "<item> can be a deleted item.")

  @Argument(
    help: ArgumentHelp(
      "The number of the item, its ID or a prefix of it, or whole words of its title. (default: all items)",
      valueName: "item"))
  var item: [UserText] = []

  @Option(help: ArgumentHelp("The maximum number of revisions to list.", valueName: "number"))
  var limit = 20

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard limit > 0 else { throw ValidationError("'--limit' must be at least 1") }
  }

  func run(in session: Session) async throws {
    try await session.withConnection { connection in
      let service = connection.service
      let records = try await latestRevisions(in: session, service)
      if session.options.json {
        let revisions = JSONValue.array(records.map(JSONValue.init))
        try session.print(JSONValue.object([.init("revisions", revisions)]).indentedText)
      } else if session.options.quiet {
        try session.printLines(records.flatMap(\.changes).map(\.item.description))
      } else if records.isEmpty {
        session.printNotice(
          item.isEmpty ? "The history is empty." : "The history no longer contains the changes of the item.")
      } else {
        let layout = HistoryLayout(
          records: records, reverted: try await revertedRevisions(of: records, service),
          lists: try await names(of: records.compactMap(\.origin.moved?.list), connection.lists),
          today: session.context.today, zone: session.zone, columns: session.context.columns)
        try session.printLines(layout.lines)
      }
    }
  }

  /// Returns the latest revisions, the latest first.
  private func latestRevisions(in session: Session, _ service: any ToDoService) async throws -> [RevisionRecord] {
    var query = HistoryQuery(pageSize: min(limit, HistoryQuery.Limits.pageSize))
    if !item.isEmpty {
      var resolver = ItemResolver(session, service, deleted: .included, words: words)
      query.item = try await resolver.item(item).id
    }
    var records: [RevisionRecord] = []
    try await service.readHistory(query) { record in
      records.append(record)
      return records.count < limit
    }
    return records
  }

  /// Returns the names of lists, deleted ones included. One that no longer exists has none.
  private func names(of ids: [ListID], _ lists: any ToDoListService) async throws -> [ListID: String] {
    guard !ids.isEmpty else { return [:] }
    let all = try await lists.lists(includingDeleted: true).lists.filter { ids.contains($0.id) }
    return Dictionary(all.map { ($0.id, $0.name) }) { first, _ in first }
  }

  /// Returns the reverted revisions that `records` lacks. They tell an undo from a redo.
  private func revertedRevisions(
    of records: [RevisionRecord], _ service: any ToDoService
  ) async throws -> [RevisionRecord] {
    var known = Set(records.map(\.revision))
    var (found, next) = ([RevisionRecord](), records[...])
    while let record = next.popFirst() {
      guard let target = record.origin.reverted, !known.contains(target),
        let reverted = try await service.revision(revertedBy: record)
      else { continue }
      known.insert(target)
      found.append(reverted)
      next.append(reverted)
    }
    return found
  }
}
