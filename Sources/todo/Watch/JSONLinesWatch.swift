import ToDoClient
import ToDoModel
import ToDoSupport
import ToDoText

/// A watch that prints events as they arrive, one JSON object per line.
struct JSONLinesWatch {
  let session: Session
  let start: WatchStart
  let state: ItemState
  let filter: ItemFilter

  /// Runs the watch until the reader closes the output.
  ///
  /// - Throws: `ExitStatus.interrupted` if the process must terminate, after the current line; any error of the watch.
  func run(with service: any ToDoService) async throws {
    try await run { try await print(service) }
  }

  /// Runs the watch of all lists that exist now, as `run(with:)` does.
  func runInAllLists(of connection: ServiceConnection) async throws {
    guard let watches = connection.listWatches else {
      throw Failure.usage("this service can't watch all lists; omit '--all-lists'")
    }
    let lists = try await connection.lists.lists()
    let inUse = session.listInUse(of: lists, in: try session.selection())
    let printed = Dictionary(
      uniqueKeysWithValues: lists.lists.map { ($0.id, session.printedList($0, of: lists, unlessUsed: inUse)) })
    let watched = lists.lists.map { WatchedList($0.id, from: start) }
    try await run {
      for try await event in watches.watchItems(in: watched, state: state, filter: filter) {
        try PrintedList.$current.withValue(printed[event.list]) { try print(event) }
      }
    }
  }

  private func print(_ event: ListWatchEvent) throws {
    guard let list = PrintedList.current?.list else { return }
    switch event.content {
    case .event(let event): try session.printLines(JSONValue.lines(of: event, in: list).map(\.lineText))
    // The other lists go on, but not if this one is still there.
    case .ended(let error):
      guard case .listNotFound = error else { throw Failure(error) }
      let failure = Failure(error)
      try session.print(JSONValue.line(ofEnd: list, reason: failure.reason, message: failure.message).lineText)
    @unknown default: break
    }
  }

  private func run(_ print: @escaping @Sendable () async throws -> Void) async throws {
    let (ends, end) = AsyncStream.makeStream(of: TerminalEvent.self, bufferingPolicy: .bufferingOldest(1))
    let stop = session.context.terminal.screen.listen(.termination) { event in
      if event == .interrupted || event == .outputClosed { end.yield(event) }
    }
    defer { stop() }
    let event = try await withThrowingTaskGroup(of: TerminalEvent?.self) { group in
      group.addTask {
        try await print()
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
      try await service.watchContinuously(from: start, state: state, filter: filter) { event in
        // One write per event, so that the end of the process does not cut a revision.
        try session.printLines(JSONValue.lines(of: event).map(\.lineText))
      }
    } catch let error as ToDoError {
      throw Failure(ofWatch: error)
    }
  }
}

extension Failure {
  /// Creates the failure of a watch, with the position from which the watch can start instead.
  fileprivate init(ofWatch error: ToDoError) {
    self.init(error)
    switch error {
    case .revisionCompacted(let oldest):
      details = [
        "Use '--after \(oldest)' to start with the oldest retained change, or '--snapshot' to start with all items."
      ]
    case .revisionInFuture(let current):
      details = ["Use '--after \(current)', or omit it, to print changes from now on."]
    case .listReplaced:
      details = ["Use '--snapshot' to start with all items."]
    case .watchTooSlow(let resume):
      details = ["Use '--after \(resume)' to resume."]
    default: break
    }
  }
}
