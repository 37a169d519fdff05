import TTRPC
import ToDoModel
import ToDoProtocol

/// What a watch has told its consumer, and so where it goes on when its stream breaks off.
///
///     initial --first message--> established --> established ...
///
/// Until something has come, what goes wrong is the consumer's to know. From then on it is only a reason to start
/// again.
struct WatchResumption {
  /// What to do about a failure.
  enum Action: Equatable {
    /// Start again from `start`, some time later.
    case retry
    /// Start again from `start`, after telling that everything before is void.
    case restart
    /// Tell the consumer.
    case fail
  }

  /// Where the next stream starts.
  private(set) var start: WatchStart
  private(set) var isEstablished = false
  /// The incarnation of the watched list; `nil` until a message contains it.
  private var incarnation: ListIncarnation?
  /// Whether a part of a snapshot was told and its end was not.
  private var isInsideSnapshot = false
  /// The changes of a revision of which more follow.
  private var part: [ItemChange] = []

  init(from start: WatchStart) {
    self.start = start
    if case .after(let revision) = start { incarnation = revision.incarnation }
  }

  /// Takes a message of the stream; `nil` when there is nothing to tell yet.
  mutating func receive(_ message: WatchMessage) -> WatchEvent? {
    isEstablished = true
    switch message {
    case .snapshotPage(let items):
      isInsideSnapshot = true
      return .snapshotPage(items)
    case .snapshotEnd(let revision):
      isInsideSnapshot = false
      incarnation = revision.incarnation
      start = .after(revision)
      return .snapshotEnd(revision)
    case .changes(let set, let moreFollow):
      part += set.changes
      guard !moreFollow else { return nil }
      let revision = Revision(set.revision.number, of: incarnation)
      start = .after(revision)
      defer { part = [] }
      // Of a later version's changes, nothing may be left that this one knows.
      return part.isEmpty ? .progress(revision) : .changes(ChangeSet(revision: revision, changes: part))
    case .progress(let revision):
      incarnation = revision.incarnation
      start = .after(revision)
      return .progress(revision)
    case .unknown:
      return nil
    }
  }

  /// The stream has ended with an error, or could not be opened.
  mutating func fail(_ error: any Error) -> Action {
    part = []
    switch (error as? RPCError).flatMap(ToDoError.init) {
    case .revisionCompacted, .revisionInFuture, .listReplaced:
      // The last two when a server was set back to an earlier state.
      guard isEstablished else { return .fail }
      start = .snapshot
      isInsideSnapshot = false
      return .restart
    case .watchTooSlow, .storeUnavailable: return again()
    case nil: return (error as? RPCError)?.code == .unavailable ? again() : .fail
    default: return .fail
    }
  }

  private mutating func again() -> Action {
    defer { isInsideSnapshot = false }
    return isInsideSnapshot ? .restart : .retry
  }
}
