import ToDoClient
import ToDoModel
import ToDoSupport
import ToDoText

/// Whether the server is unreachable, of which the user is told once. Each watch has a connection of its own.
struct ServerOutage {
  /// A change of which the user is told.
  enum Event {
    case lost, back

    func text(_ connection: ServiceConnection) -> String {
      switch self {
      case .lost:
        "The server at \(connection.endpoint.escapingControls()) is unreachable. Reminders wait until it is back."
      case .back: "The server is back."
      }
    }
  }

  /// While the server is unreachable, no reminder can be claimed.
  private(set) var isLost = false

  /// Returns what the user is to be told, or `nil` for nothing new.
  mutating func receive(_ state: ConnectionState) -> Event? {
    guard state != .connecting, isLost != (state == .disconnected) else { return nil }
    isLost.toggle()
    return isLost ? .lost : .back
  }
}

/// A receiver that tells the user of reminders, as the events of watches say.
protocol ReminderReceiver: SendableMetatype {
  /// An event that the watches emit.
  associatedtype Event: Sendable

  /// Takes an event.
  ///
  /// - Returns: whether further events follow.
  /// - Throws: the error of a watch.
  mutating func receive(_ event: Event, emit: @escaping @Sendable (Event) -> Void) throws -> Bool

  /// Tells the user of what is due, unless the server is unreachable.
  ///
  /// - Parameter event: the event that was received last; `nil` if none was since the last call.
  /// - Returns: the time after which to call this again without an event; `nil` for none.
  /// - Throws: any error of printing.
  mutating func tellDue(isReachable: Bool, after event: Event?) async throws -> Duration?

  /// Ends what the receiver has begun.
  func stop() async
}

/// A run of `todo remind` until the process must terminate, or the reader closes the output.
struct ReminderRun<Receiver: ReminderReceiver> {
  private let session: Session
  private let connection: ServiceConnection

  /// Emits events until the watch ends. Returns whether the run ends with it.
  typealias Watch = @Sendable (_ emit: @escaping @Sendable (Receiver.Event) -> Void) async throws -> Bool

  private enum Input: Sendable {
    case event(Receiver.Event)
    case connection(ConnectionState)
    case time
    case terminal(TerminalEvent)
  }

  init(_ session: Session, _ connection: ServiceConnection) { (self.session, self.connection) = (session, connection) }

  /// Tells the user of what is due.
  ///
  /// - Parameter makeReceiver: returns what receives the events of the watches.
  /// - Throws: `ExitStatus.interrupted`; any error of a watch or the receiver.
  func callAsFunction(_ watches: [Watch], _ makeReceiver: @escaping @Sendable () -> Receiver) async throws {
    let (inputs, input) = AsyncStream.makeStream(of: Input.self)
    let stop = session.context.terminal.screen.listen(.termination) { event in
      if event == .interrupted || event == .outputClosed { input.yield(.terminal(event)) }
    }
    defer { stop() }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for watch in watches { group.addTask { try await watch { input.yield(.event($0)) } } }
      group.addTask {
        var receiver = makeReceiver()
        let end: Result<Void, any Error>
        do { end = .success(try await receive(inputs, input, &receiver)) } catch { end = .failure(error) }
        await receiver.stop()
        try end.get()
        return true
      }
      if let states = connection.connectionStates?() {
        group.addTask {
          for await state in states { input.yield(.connection(state)) }
          return false
        }
      }
      defer { group.cancelAll() }
      while let isOver = try await group.next(), !isOver {}
    }
  }

  private func receive(
    _ inputs: AsyncStream<Input>, _ input: AsyncStream<Input>.Continuation, _ receiver: inout Receiver
  ) async throws {
    var timer: Task<Void, any Error>?
    var outage = ServerOutage()
    defer { timer?.cancel() }
    for await next in inputs {
      var event: Receiver.Event?
      switch next {
      case .event(let received):
        guard try receiver.receive(received, emit: { input.yield(.event($0)) }) else { return }
        event = received
      case .connection(let state): outage.receive(state).map { session.printNotice($0.text(connection)) }
      case .time: break
      case .terminal(.interrupted): throw ExitStatus.interrupted
      case .terminal: return
      }
      let delay = try await receiver.tellDue(isReachable: !outage.isLost, after: event)
      timer?.cancel()
      guard let delay else { continue }
      let sleep = session.context.sleep
      timer = Task {
        try await sleep(delay)
        input.yield(.time)
      }
    }
  }
}

extension Session {
  /// Says how many reminders are to come.
  func announceReminders(_ count: Int, next: Timestamp?) {
    let time = next.map {
      "; the next is due \(DueDate.time($0).shortText(today: context.today, in: zone))"
    }
    printNotice("Waiting for \(count) \(count == 1 ? "reminder" : "reminders")\(time ?? ""). Ctrl-C ends.")
  }
}
