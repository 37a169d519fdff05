import ArgumentParser
import ToDoModel
import ToDoText

/// `todo redo`
struct RedoCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo the changes that you undid last.", usage: "todo redo [<number>] [<options>]",
    discussion: "Only changes that were undone after your latest other change can be redone.")

  @Argument(help: ArgumentHelp("The number of changes to redo.", valueName: "number"))
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
        return !history.isCompleteForRedo
      }
      var steps: [ReversalStep] = []
      for undo in history.redoable.prefix(count) {
        var changes: [RevisionRecord] = []
        for reversal in undo where changes.last?.revision != reversal.origin.reverted {
          if let change = try await service.revision(revertedBy: reversal) { changes.append(change) }
        }
        steps.append(ReversalStep(change: RevisionRecord(merging: changes), revisions: undo.map(\.revision)))
      }
      let hasMore = history.redoable.count > count
      try await session.perform(.redo, steps, of: count, hasMore: hasMore, in: connection)
    }
  }
}
