/// The state machine of a group committer: what waits to be committed, and whether someone is at it.
///
/// - `Write`: a write on its way.
/// - `Closer`: whoever waits for the end.
struct PendingWrites<Write, Closer> {
  private enum Phase {
    /// Nobody is at work, and nothing waits.
    case idle
    /// Someone is at work, and takes what waits when the present group is committed.
    case committing
    /// Likewise, but nothing more is accepted.
    case closing([Closer])
    case closed
  }

  private typealias Entry = (ticket: UInt64, write: Write)

  /// What to do with a write that came.
  enum Addition: Equatable {
    /// It waits, and someone has to go to work.
    case start
    /// It waits for whoever is at work.
    case wait
    case refuse(Refusal)
  }

  enum Refusal {
    case full, closed
  }

  /// What to do after a group.
  enum Step {
    case commit([Write])
    /// Nothing is left; the closers, if any, are to be told.
    case rest([Closer])
  }

  enum Closing {
    case done
    /// `next` returns the closer when all is done.
    case wait
  }

  private var phase = Phase.idle
  // Not in the phases: an array that is taken out of an enumeration to be appended to is copied, all of it, each time.
  private var waiting: [Entry] = []
  private let limit: Int

  /// - Parameter limit: how many writes may wait.
  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { waiting.count }

  var isClosed: Bool {
    switch phase {
    case .idle, .committing: false
    case .closing, .closed: true
    }
  }

  /// - Parameter ticket: names the write to `remove(ticket:)`.
  mutating func add(_ write: Write, ticket: UInt64) -> Addition {
    switch phase {
    case .idle:
      phase = .committing
      waiting.append((ticket, write))
      return .start
    case .committing:
      guard waiting.count < limit else { return .refuse(.full) }
      waiting.append((ticket, write))
      return .wait
    case .closing, .closed:
      return .refuse(.closed)
    }
  }

  /// Takes the next group, called by whoever is at work and only by them.
  mutating func next(limit: Int) -> Step {
    guard waiting.isEmpty else {
      let group = waiting.prefix(limit).map(\.write)
      waiting.removeFirst(group.count)
      return .commit(group)
    }
    switch phase {
    case .idle, .closed:
      preconditionFailure("nobody is at work")
    case .committing:
      phase = .idle
      return .rest([])
    case .closing(let closers):
      phase = .closed
      return .rest(closers)
    }
  }

  /// Takes a write out again; `nil` when it waits no more.
  mutating func remove(ticket: UInt64) -> Write? {
    waiting.firstIndex { $0.ticket == ticket }.map { waiting.remove(at: $0).write }
  }

  /// Accepts nothing more.
  mutating func close(_ closer: Closer) -> Closing {
    switch phase {
    case .idle, .closed:
      phase = .closed
      return .done
    case .committing:
      phase = .closing([closer])
      return .wait
    case .closing(let closers):
      phase = .closing(closers + [closer])
      return .wait
    }
  }
}

extension PendingWrites.Step: Equatable where Write: Equatable, Closer: Equatable {}
