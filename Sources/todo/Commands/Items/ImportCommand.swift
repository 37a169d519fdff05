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

      If any part of the file is invalid or has a field that items don't have, nothing is added. Done items are done at the \
      time of the import.
      """)

  @Argument(help: "The file, or '-' for standard input.")
  var file: String

  @Flag(help: "Print what would be added, without adding it.")
  var dryRun = false

  @Flag(help: "Add incomplete items even if identical ones exist.")
  var allowDuplicate = false

  @OptionGroup var global: GlobalOptions

  /// The maximum size of the file. The items of a full list take less.
  private static let sizeLimit = 256 << 20

  func run(in session: Session) async throws {
    let items = try items(in: session)
    try await session.withService(creatingList: !dryRun) { service in
      var importer = ItemImporter(service: service, allowsDuplicates: allowDuplicate) {
        session.context.makeID(session.clock.now())
      }
      if dryRun { return try printPreview(of: try await importer.missing(of: items), in: session) }
      do { try await importer.add(items) } catch {
        _ = try report(importer, in: session)
        var failure = Failure(error)
        failure.details += importer.details(of: failure)
        throw failure
      }
      let status = try report(importer, in: session)
      if status != .success { throw status }
    }
  }

  /// Reads the items, and checks all of them.
  private func items(in session: Session) throws -> [ImportedItem] {
    do {
      let items = try ImportedItem.items(in: try text(in: session))
      let errors = items.lazy.flatMap(\.errors)
      guard let first = errors.first else { return items }
      let others = errors.dropFirst().prefix(Self.errorLimit).map { "\($0)".escapingControls() }
      throw failure(first, details: Array(others))
    } catch let error as ImportError {
      throw failure(error)
    }
  }

  private func failure(_ error: ImportError, details: [String] = []) -> Failure {
    .usage(
      "\(file.escapingControls()): \("\(error)".escapingControls())", reason: "INVALID_FILE", details: details)
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

  private func printPreview(of items: [ImportedItem], in session: Session) throws {
    if session.options.json {
      let values = items.map { item in
        JSONValue.object([
          .init("id", .optional(item.id?.description)), .init("done", .bool(item.isDone)),
          .init("content", JSONValue(item.content, notices: [])),
        ])
      }
      return try session.print(JSONValue.array(values).indentedText)
    }
    guard !session.options.quiet else { return }
    for item in items {
      try session.print("Would add\(item.isDone ? " as done" : ""): \(session.summary(of: item.content))")
    }
  }

  /// Prints the counts and the refused items. Returns the status of the most severe refusal.
  private func report(_ importer: ItemImporter, in session: Session) throws -> ExitStatus {
    if session.options.json {
      try session.print(
        JSONValue.object([
          .init("addedCount", .integer(Int64(importer.addedCount))),
          .init("presentCount", .integer(Int64(importer.presentCount))),
          .init("refusedCount", .integer(Int64(importer.refused.count))),
        ]).indentedText)
    } else if !session.options.quiet {
      try session.print("Added \(importer.addedCount) \(importer.addedCount == 1 ? "item" : "items").")
      if importer.presentCount > 0 { try session.print("\(importer.presentCount) already in the list.") }
    }
    var status = ExitStatus.success
    for (item, error) in importer.refused {
      var failure = Failure(error)
      failure.message = "line \(item.line): '\(item.content.title.escapingControls())': \(failure.message)"
      session.report(failure)
      status = max(status, failure.status)
    }
    for (item, id, error) in importer.unrepeated {
      var failure = Failure(error)
      let title = item.content.title.escapingControls()
      failure.message = "line \(item.line): '\(title)' was added without its repetition: \(failure.message)"
      failure.details.append("'todo edit \(id)\(PrintedList.option) --repeat' sets how it repeats.")
      session.report(failure)
      status = max(status, failure.status)
    }
    return status
  }
}
