import ArgumentParser
import ToDoModel
import ToDoSupport
import ToDoText

/// `todo undo`
struct UndoCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo your latest changes.", usage: "todo undo [<number>] [<options>]",
    discussion: """
      Undoes the latest change first. The changes of one command, such as 'todo check 3 5-8', count as one. An item that has changed since stays as it is, and is reported. 'todo redo' \
      reverses an undo, until you change something else.
      """)

  @Argument(help: ArgumentHelp("The number of changes to undo.", valueName: "number"))
  var count = 1

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard count > 0 else { throw ValidationError("the number of changes must be at least 1") }
  }

  func run(in session: Session) async throws {
    try await session.withConnection { connection in
      let service = connection.service
      var history = UndoHistory()
      try await service.readHistory { record in
        history.add(record)
        // The revision after the last one to undo shows that its run has no more.
        return history.undoable.count <= count
      }
      let all = try changes(in: history, session)
      let steps = all.prefix(count).map { changes in
        ReversalStep(change: RevisionRecord(merging: changes), revisions: changes.map(\.revision))
      }
      try await session.perform(.undo, steps, of: count, hasMore: all.count > count, in: connection)
    }
  }

  /// Returns the user's changes. If there are none, returns those of other clients once the user has agreed.
  private func changes(in history: UndoHistory, _ session: Session) throws -> [[RevisionRecord]] {
    guard let other = history.latestOfOthers else { return history.undoable }
    guard history.undoable.isEmpty else {
      session.printNotice("The latest change is not yours, and stays: \(Self.text(of: other)).")
      return history.undoable
    }
    let changes = history.undoableOfOthers.prefix(count).map(Self.text).joined(separator: "; ")
    guard try session.confirm("You have nothing to undo. Undo what others did: \(changes)?") else {
      session.printNotice("Nothing was undone.")
      throw ExitStatus.failure
    }
    return history.undoableOfOthers
  }

  /// Returns the changes with their maker, such as `ann@laptop deleted 1 'Milk'`.
  private static func text(of changes: [RevisionRecord]) -> String {
    let record = RevisionRecord(merging: changes)
    let summary = record?.summary(of: .redo, count: record?.changeCount ?? 0) ?? ""
    return "\((record?.origin.maker ?? "another client").escapingControls()) \(summary)"
  }
}
