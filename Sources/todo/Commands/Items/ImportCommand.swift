import ArgumentParser
import Glibc
import ToDoModel
import ToDoRPC
import ToDoSupport
import ToDoText

/// `todo import`
struct ImportCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Add the items of a JSON file.", usage: "todo import <file> [<options>]",
    discussion: """
      Reads what 'todo list --all --json' or 'todo watch --json' has printed. The items keep their IDs, everything that \
      you entered and whether they are done, and get new numbers in the old order. Items that are in the list already stay as \
      they are, so you can import a file again.

      You can also write the file yourself. An item needs only a title: [{"title": "Buy milk", "dueDate": "2026-12-01"}]

      An item that names its list ("list": "Work") is imported into it, and the others into the list in use. A list that doesn't \
      exist is created, with the color and the order that 'todo list --all-lists --json' prints. '--list' imports all items into \
      one list, which must exist.

      If any part of the file is invalid or has a field that items don't have, nothing is added. Items are created, and \
      done items done, at the time of the import; 'todo backup' keeps the original times.
      """)

  @Argument(help: "The file, or '-' for standard input.")
  var file: String

  @Flag(help: "Print what would be added, without adding it.")
  var dryRun = false

  @Flag(help: "Add incomplete items even if identical ones exist.")
  var allowDuplicate = false

  @OptionGroup var global: GlobalOptions

  /// The file's maximum size. The items of a full list take less.
  private static let sizeLimit = 256 << 20

  func run(in session: Session) async throws {
    let items = try items(in: session)
    try await session.withConnection(creatingList: !dryRun) { connection in
      let lists = ImportLists(connection: connection, session: session)
      let groups: [ImportGroup]
      do { groups = try await lists.groups(of: items) } catch let error as ImportErrors { throw failure(error.errors) }
      var importer = ItemImporter(allowsDuplicates: allowDuplicate) {
        session.context.makeID(session.clock.now())
      }
      if dryRun {
        var items: [(ImportGroup, [ImportedItem])] = []
        for group in groups { items.append((group, try await importer.missing(of: group))) }
        return try printPreview(of: items, in: session)
      }
      var creator = ListCreator(lists: connection.lists, session: session)
      try await creator.createMissing(groups)
      do { try await importer.add(groups) } catch {
        creator.printUnordered()
        var failure = Failure(error)
        if failure.status != .notAllowed || importer.addedCount > 0 {
          _ = try report(importer, of: groups, in: session)
        }
        failure.details += importer.details(of: failure)
        throw failure
      }
      await creator.order()
      let status = try report(importer, of: groups, in: session)
      if status != .success { throw status }
    }
  }

  /// Reads the items, and checks all of them.
  private func items(in session: Session) throws -> [ImportedItem] {
    do {
      let items = try ImportedItem.items(in: try text(in: session))
      let errors = items.flatMap(\.errors)
      guard errors.isEmpty else { throw failure(errors) }
      return items
    } catch let error as ImportError {
      throw failure([error])
    }
  }

  private func failure(_ errors: [ImportError]) -> Failure {
    let texts = errors.prefix(1 + Self.errorLimit).map { "\($0)".escapingControls() }
    return .usage(
      "\(file.escapingControls()): \(texts[0])", reason: "INVALID_FILE", details: Array(texts.dropFirst()))
  }

  /// The maximum number of further errors that are printed.
  private static let errorLimit = 20

  private func text(in session: Session) throws -> [UInt8] {
    do {
      return file == "-"
        ? try session.context.terminal.readInput(Self.sizeLimit)
        : try InputBytes.read(path: file, limit: Self.sizeLimit)
    } catch {
      let name = file.escapingControls()
      switch error {
      case .exceedsLimit:
        throw Failure.usage("\(name) is larger than \(Self.sizeLimit >> 20) MiB", reason: "INVALID_FILE")
      case .failed(let number):
        throw Failure(
          code: .notFound, reason: "NO_FILE", message: "cannot import \(name): \(String(cString: strerror(number)))")
      }
    }
  }

  private func printPreview(of lists: [(group: ImportGroup, items: [ImportedItem])], in session: Session) throws {
    if session.options.json {
      let values = lists.flatMap { group, items in
        items.map { item in
          JSONValue.object([
            .init("id", .optional(item.id?.description)), .init("done", .bool(item.isDone)),
            .init("content", JSONValue(item.content, notices: [])), .init("list", .optional(group.name)),
            .init("createsList", .bool(group.newList != nil)),
          ])
        }
      }
      return try session.print(JSONValue.array(values).indentedText)
    }
    guard !session.options.quiet else { return }
    for (group, items) in lists {
      let target = group.nameText.map { " to \($0)" } ?? ""
      if let list = group.newList { try session.print("Would create the list \(list.name.escapingControls()).") }
      for item in items {
        try session.print("Would add\(target)\(item.isDone ? " as done" : ""): \(session.summary(of: item.content))")
      }
    }
  }

  /// Prints the counts and the refused items. Returns the status of the most severe refusal.
  private func report(_ importer: ItemImporter, of groups: [ImportGroup], in session: Session) throws -> ExitStatus {
    if session.options.json {
      try session.print(
        JSONValue.object([
          .init("addedCount", .integer(Int64(importer.addedCount))),
          .init("presentCount", .integer(Int64(importer.presentCount))),
          .init("refusedCount", .integer(Int64(importer.refused.count))),
          .init("createdLists", .array(groups.compactMap { $0.newList.map { .string($0.name) } })),
        ]).indentedText)
    } else if !session.options.quiet {
      for (group, count) in zip(groups, importer.counts) {
        let (list, target) = (group.nameText ?? "the list", group.nameText.map { " to \($0)" } ?? "")
        if let new = group.newList { try session.print("Created the list \(new.name.escapingControls()).") }
        try session.print("Added \(count.added) \(count.added == 1 ? "item" : "items")\(target).")
        if count.present > 0 { try session.print("\(count.present) already in \(list).") }
      }
      // The lists could not be read.
      if importer.counts.isEmpty { try session.print("Added 0 items.") }
    }
    return reportRefusals(of: importer, in: session)
  }

  private func reportRefusals(of importer: ItemImporter, in session: Session) -> ExitStatus {
    var status = ExitStatus.success
    for (item, error) in importer.refused {
      var failure = Failure(error)
      failure.message = "line \(item.line): '\(item.content.title.escapingControls())': \(failure.message)"
      session.report(failure)
      status = max(status, failure.status)
    }
    for (item, id, option, error) in importer.unrepeated {
      var failure = Failure(error)
      failure.message =
        "line \(item.line): '\(item.content.title.escapingControls())' was added without its repetition: \(failure.message)"
      failure.details.append("'todo edit \(id)\(option) --repeat' sets how it repeats.")
      session.report(failure)
      status = max(status, failure.status)
    }
    return status
  }
}
