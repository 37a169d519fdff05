import ProgramSupport
import ToDoClient
import ToDoModel

/// Prints the events of a watch, one JSON object a line, as they come.
struct WatchLines {
  let session: Session
  let start: WatchStart
  let state: ItemState

  /// Ends when nobody reads any more; throws `ExitStatus.interrupted` when the process is asked to end, after the
  /// line that it is at.
  func run(with service: any ToDoService) async throws {
    let (ends, end) = AsyncStream.makeStream(of: TerminalEvent.self, bufferingPolicy: .bufferingOldest(1))
    let stop = session.context.terminal.screen.listen(.end) { event in
      if event == .interrupted || event == .outputClosed { end.yield(event) }
    }
    defer { stop() }
    let event = try await withThrowingTaskGroup(of: TerminalEvent?.self) { group in
      group.addTask {
        try await print(service)
        return nil
      }
      group.addTask { await ends.first { _ in true } }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    if event == .interrupted { throw ExitStatus.interrupted }
  }

  private func print(_ service: any ToDoService) async throws {
    do {
      try await service.watchContinuously(from: start, state: state) { event in
        // All at once, so that a revision is not cut by the end of the process.
        try session.printLines(JSONValue.lines(of: event).map(\.lineText))
      }
    } catch let error as ToDoError {
      throw Failure(ofWatch: error)
    }
  }
}

extension Failure {
  /// Says where the watch could start instead.
  fileprivate init(ofWatch error: ToDoError) {
    self.init(error)
    switch error {
    case .revisionCompacted(let oldest):
      details = ["Use '--after \(oldest)' for the changes that are kept, or '--snapshot' for all items."]
    case .revisionInFuture(let current):
      details = ["Use '--after \(current)', or nothing, for the changes from now on."]
    case .listReplaced:
      details = ["Use '--snapshot' for all items."]
    case .watchTooSlow(let resume):
      details = ["Use '--after \(resume)' to go on."]
    default: break
    }
  }
}
