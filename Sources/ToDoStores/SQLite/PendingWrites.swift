/// The state machine of a group committer: what waits to be committed, and whether someone is at it.
///
/// - `Write`: a write on its way.
/// - `Closer`: whoever waits for the end.
struct PendingWrites<Write, Closer> {
  private enum State {
    /// Nothing waits, nobody is at work.
    case idle
    /// Someone is at work, and takes what waits when the present group is committed.
    case committing(waiting: [Entry])
    /// Likewise, but nothing more is accepted.
    case closing(waiting: [Entry], closers: [Closer])
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

  private var state = State.idle
  private let limit: Int

  /// - Parameter limit: how many writes may wait.
  init(limit: Int) {
    self.limit = limit
  }

  var count: Int {
    switch state {
    case .idle, .closed: 0
    case .committing(let waiting), .closing(let waiting, _): waiting.count
    }
  }

  var isClosed: Bool {
    switch state {
    case .idle, .committing: false
    case .closing, .closed: true
    }
  }

  /// - Parameter ticket: names the write to `remove(ticket:)`.
  mutating func add(_ write: Write, ticket: UInt64) -> Addition {
    switch state {
    case .idle:
      state = .committing(waiting: [(ticket, write)])
      return .start
    case .committing(var waiting):
      guard waiting.count < limit else { return .refuse(.full) }
      state = .idle  // Gives up its reference, so that the array is not copied.
      waiting.append((ticket, write))
      state = .committing(waiting: waiting)
      return .wait
    case .closing, .closed:
      return .refuse(.closed)
    }
  }

  /// Takes the next group, called by whoever is at work and only by them.
  mutating func next(limit: Int) -> Step {
    switch state {
    case .idle, .closed:
      preconditionFailure("nobody is at work")
    case .committing(let waiting) where waiting.isEmpty:
      state = .idle
      return .rest([])
    case .closing(let waiting, let closers) where waiting.isEmpty:
      state = .closed
      return .rest(closers)
    case .committing(let waiting):
      state = .committing(waiting: Array(waiting.dropFirst(limit)))
      return .commit(waiting.prefix(limit).map(\.write))
    case .closing(let waiting, let closers):
      state = .closing(waiting: Array(waiting.dropFirst(limit)), closers: closers)
      return .commit(waiting.prefix(limit).map(\.write))
    }
  }

  /// Takes a write out again; `nil` when it waits no more.
  mutating func remove(ticket: UInt64) -> Write? {
    func remove(from waiting: inout [Entry]) -> Write? {
      waiting.firstIndex { $0.ticket == ticket }.map { waiting.remove(at: $0).write }
    }
    switch state {
    case .idle, .closed:
      return nil
    case .committing(var waiting):
      let removed = remove(from: &waiting)
      state = .committing(waiting: waiting)
      return removed
    case .closing(var waiting, let closers):
      let removed = remove(from: &waiting)
      state = .closing(waiting: waiting, closers: closers)
      return removed
    }
  }

  /// Accepts nothing more.
  mutating func close(_ closer: Closer) -> Closing {
    switch state {
    case .idle, .closed:
      state = .closed
      return .done
    case .committing(let waiting):
      state = .closing(waiting: waiting, closers: [closer])
      return .wait
    case .closing(let waiting, let closers):
      state = .closing(waiting: waiting, closers: closers + [closer])
      return .wait
    }
  }
}

extension PendingWrites.Step: Equatable where Write: Equatable, Closer: Equatable {}
