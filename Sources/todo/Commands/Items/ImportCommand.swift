import ArgumentParser
import FoundationEssentials
import ToDoModel
import ToDoRPC
import ToDoSupport
import ToDoText

/// `todo import`
struct ImportCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Add the items of a JSON file.", usage: "todo import <file> [<options>]",
    discussion: """
      Reads what 'todo list --all --json' or 'todo watch --json' has printed. The items keep their IDs, due dates, places and \
      whether they are done, and get new numbers in the old order. Items that are in the list already stay as they are, so \
      you can import a file again.

      You can also write the file yourself. An item needs only a title: [{"title": "Buy milk", "dueDate": "2026-12-01"}]

      If any part of the file is invalid, nothing is added.
      """)

  @Argument(help: "The file, or '-' for standard input.")
  var file: String

  @Flag(help: "Print what would be added, without adding it.")
  var dryRun = false

  @Flag(help: "Add incomplete items even if identical ones exist.")
  var allowDuplicate = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    let items: [ImportedItem]
    do { items = try ImportedItem.items(in: try text(in: session)) } catch let error as ImportError {
      throw Failure.usage("\(file.escapingControls()): \("\(error)".escapingControls())", reason: "INVALID_FILE")
    }
    if dryRun { return try printPreview(of: items, in: session) }
    try await session.withService { service in
      var importer = ItemImporter(service: service, allowsDuplicates: allowDuplicate) {
        session.context.makeID(session.clock.now())
      }
      do { try await importer.add(items) } catch {
        if importer.outcome.added > 0 { try report(importer.outcome, in: session) }
        throw error
      }
      try report(importer.outcome, in: session)
    }
  }

  private func text(in session: Session) throws -> [UInt8] {
    if file == "-" {
      var lines: [String] = []
      while let line = session.context.terminal.readLine() { lines.append(line) }
      return Array(lines.joined(separator: "\n").utf8)
    }
    do { return Array(try Data(contentsOf: URL(filePath: file))) } catch {
      let reason = (error as? CocoaError)?.code == .fileReadNoSuchFile ? "there is no such file" : "it cannot be read"
      throw Failure(
        code: .notFound, reason: "NO_FILE", message: "cannot import \(file.escapingControls()): \(reason)")
    }
  }

  private func printPreview(of items: [ImportedItem], in session: Session) throws {
    if session.options.json {
      return try session.print(JSONValue.array(items.map { JSONValue($0.content, notices: []) }).indentedText)
    }
    guard !session.options.quiet else { return }
    for item in items {
      try session.print("Would add\(item.isDone ? " as done" : ""): \(session.summary(of: item.content))")
    }
  }

  /// - Throws: the exit status if items were refused.
  private func report(_ outcome: ItemImporter.Outcome, in session: Session) throws {
    if session.options.json {
      try session.print(
        JSONValue.object([
          .init("addedCount", .integer(Int64(outcome.added))), .init("presentCount", .integer(Int64(outcome.present))),
          .init("refusedCount", .integer(Int64(outcome.refused.count))),
        ]).indentedText)
    } else if !session.options.quiet {
      try session.print("Added \(outcome.added) \(outcome.added == 1 ? "item" : "items").")
      if outcome.present > 0 { try session.print("\(outcome.present) already in the list.") }
    }
    var status = ExitStatus.success
    for (item, error) in outcome.refused {
      var failure = Failure(error)
      failure.message = "line \(item.line): '\(item.content.title.escapingControls())': \(failure.message)"
      session.report(failure)
      status = max(status, failure.status)
    }
    if status != .success { throw status }
  }
}
