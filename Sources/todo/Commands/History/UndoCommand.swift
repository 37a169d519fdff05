import ArgumentParser
import ToDoModel

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
    try await session.withService { service in
      var history = UndoHistory()
      try await service.readHistory { record in
        history.add(record)
        // The revision after the last one to undo shows that its run has no more.
        return history.undoable.count <= count
      }
      let steps = history.undoable.prefix(count).map { changes in
        ReversalStep(change: RevisionRecord(merging: changes), revisions: changes.map(\.revision))
      }
      try await session.perform(.undo, steps, of: count, in: service)
    }
  }
}
