/// Watches of the items of several lists of one user, which others may share with the user.
///
/// `LocalToDoListService` performs them over a store; `ToDoClient` sends them to a server.
public protocol ListWatchService: Sendable {
  /// Watches the items of several lists.
  ///
  /// Each list has a position of its own, and emits what `ToDoService.watch(from:state:)` would. The lists begin in their order: the
  /// snapshot or the past changes of one precede the next one's. The watch of a list that is deleted, no longer shared, or
  /// whose position is gone ends with `ListWatchEvent.Content.ended`, and the others go on. The sequence ends after the last list.
  ///
  /// - Parameters:
  ///   - lists: up to `WatchedList.limit` different lists.
  ///   - state: as in `ToDoService.watch(from:state:filter:)`.
  ///   - filter: as in `ToDoService.watch(from:state:filter:)`, for all lists.
  /// - Throws: The iteration throws `invalidRequest` and the errors that concern no list in particular.
  func watchItems(in lists: [WatchedList], state: ItemState, filter: ItemFilter) -> ListWatchEvents
}

extension ListWatchService {
  /// Watches the items of several lists in a state.
  public func watchItems(in lists: [WatchedList], state: ItemState) -> ListWatchEvents {
    watchItems(in: lists, state: state, filter: ItemFilter())
  }
}

/// One of several lists of a watch.
public struct WatchedList: Equatable, Sendable {
  /// The list.
  public var list: ListID
  /// The position at which the watch of the list starts.
  public var start: WatchStart

  /// Creates a value.
  public init(_ list: ListID, from start: WatchStart) {
    (self.list, self.start) = (list, start)
  }

  /// The maximum number of lists of one watch: all that a user reads.
  public static let limit = UserList.Limits.readable

  /// Checks the lists of a watch.
  ///
  /// - Throws: `ToDoError.invalidRequest`.
  package static func check(_ lists: [WatchedList]) throws {
    var violations: [FieldViolation] = []
    if lists.count > limit {
      let reason = "has \(lists.count - 1) elements; at most \(limit - 1) are allowed"
      violations.append(FieldViolation("further_lists", reason))
    }
    var known: Set<ListID> = []
    for (index, watched) in lists.prefix(limit).enumerated() {
      let path = index == 0 ? "" : "further_lists[\(index - 1)]."
      if !known.insert(watched.list).inserted {
        violations.append(FieldViolation(path + "list", "must be another list than those before"))
      }
      if case .after(let revision) = watched.start, revision < .initial {
        violations.append(FieldViolation(path + "after_revision", "must not be negative"))
      }
    }
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
  }
}

/// An event of a watch of several lists.
public struct ListWatchEvent: Equatable, Sendable {
  /// The list.
  public var list: ListID
  /// The event in that list, or the end of its watch.
  public var content: Content

  /// Creates an event.
  public init(_ list: ListID, _ content: Content) {
    (self.list, self.content) = (list, content)
  }

  /// An event in a list, or the end of its watch.
  @nonexhaustive
  public enum Content: Equatable, Sendable {
    /// An event of the list.
    case event(WatchEvent)
    /// The watch of the list has ended. No later event concerns it.
    case ended(ToDoError)
  }
}

/// The events of a watch of several lists, until it is canceled or fails. Each iterator is an independent watch.
public struct ListWatchEvents: AsyncSequence, Sendable {
  /// The type of the events.
  public typealias Element = ListWatchEvent
  /// `ToDoError`, `CancellationError` or, from a client, `RPCError`.
  public typealias Failure = any Error

  private let makeNext: @Sendable () -> () async throws -> ListWatchEvent?

  /// Creates a sequence.
  ///
  /// - Parameter makeNext: begins a watch, and returns the function that returns its events one after another.
  public init(_ makeNext: @escaping @Sendable () -> () async throws -> ListWatchEvent?) {
    self.makeNext = makeNext
  }

  /// Begins a watch.
  public func makeAsyncIterator() -> Iterator { Iterator(nextEvent: makeNext()) }

  /// A watch.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let nextEvent: () async throws -> ListWatchEvent?

    /// Returns the next event, or `nil` after the end.
    public mutating func next() async throws -> ListWatchEvent? { try await nextEvent() }
  }
}

extension ToDoError {
  /// Whether the error ends the watch of one list, and not those of the others on the same stream.
  package var endsOneList: Bool {
    switch self {
    case .listNotFound, .listReplaced, .revisionCompacted, .revisionInFuture, .watchTooSlow: true
    default: false
    }
  }
}
