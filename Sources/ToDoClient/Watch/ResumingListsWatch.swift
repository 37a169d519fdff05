import ToDoModel
import ToDoProtocol
import ToDoRPC

/// A watch of several lists that reconnects, and resumes each list after its last event.
final class ResumingListsWatch {
  private let positions: ListPositions
  private let attempts: WatchAttempts<ListWatchMessage>
  /// Whether the consumer has received anything.
  private var hasBegun = false

  /// Creates a watch that begins with the first call of `next`.
  ///
  /// - Parameter attempts: attempts that begin with `ListPositions.begin()`.
  init(_ positions: ListPositions, _ attempts: WatchAttempts<ListWatchMessage>) {
    (self.positions, self.attempts) = (positions, attempts)
  }

  /// Returns the next event, or `nil` after the watches of all lists have ended.
  ///
  /// - Throws: `ToDoError`, `RPCError`, `CancellationError`. An error ends the watch.
  func next() async throws -> ListWatchEvent? {
    while true {
      if let event = positions.takeEvent() { return event }
      guard !positions.haveEnded, let (message, _) = try await attempts.next(hasBegun: hasBegun) else { return nil }
      hasBegun = true
      if try positions.receive(message) { attempts.restart() }
    }
  }
}

/// The positions of a watch in several lists.
final class ListPositions {
  private struct Position {
    var resumption: WatchResumption
    var order: WatchOrder
    var assembler: WatchEventAssembler
  }

  /// The lists whose watch has not ended, in their order.
  private var lists: [ListID]
  private var positions: [ListID: Position] = [:]
  /// The events that the consumer has not taken yet.
  private var events: [ListWatchEvent] = []
  /// The only list of the current attempt, whose messages name none.
  private var only: ListID?
  private let limit: Int

  /// - Parameter limit: the maximum size of each list's snapshot, as in `ReceiveBudget`.
  init(_ lists: [WatchedList], limit: Int) {
    self.lists = lists.map(\.list)
    self.limit = limit
    for watched in lists {
      positions[watched.list] = Position(
        resumption: WatchResumption(from: watched.start, policy: .service),
        order: WatchOrder(from: watched.start, limit: limit), assembler: WatchEventAssembler(from: watched.start))
    }
  }

  /// Whether the watches of all lists have ended.
  var haveEnded: Bool { lists.isEmpty }

  /// Begins an attempt, and returns the lists to watch.
  func begin() -> [WatchedList] {
    only = lists.count == 1 ? lists[0] : nil
    return lists.compactMap { list in
      guard var position = positions[list] else { return nil }
      if position.resumption.interrupt() { events.append(ListWatchEvent(list, .event(.restarted))) }
      let start = position.resumption.start
      position.order = WatchOrder(from: start, limit: limit)
      position.assembler = WatchEventAssembler(from: start)
      positions[list] = position
      return WatchedList(list, from: start)
    }
  }

  /// Returns the message for an error that ends the attempt, if the attempt has only one list, and the error concerns that.
  func end(of error: RPCError) -> ListWatchMessage? {
    guard let only, ToDoError(error)?.endsOneList == true else { return nil }
    return ListWatchMessage(only, .ended(error))
  }

  /// Receives a message of the attempt.
  ///
  /// - Returns: Whether another attempt must begin.
  /// - Throws: `RPCError` if the message is malformed, or ends a list for a reason of a later schema version.
  func receive(_ message: ListWatchMessage) throws -> Bool {
    let list = only ?? message.list
    guard var position = positions[list] else {
      throw RPCError.malformedResponse("list", "is \(list); it must be one of the watched lists")
    }
    switch message.content {
    case .message(let message):
      try position.order.receive(message)
      if let event = position.assembler.receive(message) {
        position.resumption.receive(event)
        events.append(ListWatchEvent(list, .event(event)))
      } else {
        position.resumption.receivePartialInput()
      }
      positions[list] = position
      return false
    case .ended(let error):
      guard let reason = ToDoError(error) else { throw error }
      // The reason is one of the list, which `WatchResumption` answers without a delay.
      switch position.resumption.fail(reason, jitter: 0) {
      case .resume: break
      case .restart: events.append(ListWatchEvent(list, .event(.restarted)))
      case .fail:
        end(list, reason)
        return false
      }
      positions[list] = position
      return true
    }
  }

  private func end(_ list: ListID, _ reason: ToDoError) {
    positions[list] = nil
    lists.removeAll { $0 == list }
    events.append(ListWatchEvent(list, .ended(reason)))
  }

  /// Returns the next event, or `nil` until another message arrives.
  func takeEvent() -> ListWatchEvent? { events.isEmpty ? nil : events.removeFirst() }
}
