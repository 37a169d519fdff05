import ToDoModel
import ToDoProtocol

/// Assembles the messages of one stream into events.
///
/// The changes of one revision can arrive in several messages. Only the messages at the start of a watch and its progress
/// name the list's incarnation, which the assembler adds to the revisions of changes.
struct WatchEventAssembler {
  private var incarnation: ListIncarnation?
  /// The received changes of a revision that is not complete.
  private var part: [ItemChange] = []

  /// Creates an assembler for a stream that starts at `start`.
  init(from start: WatchStart) {
    if case .after(let revision) = start { incarnation = revision.incarnation }
  }

  /// Returns the event that a message completes, or `nil` if it completes none.
  mutating func receive(_ message: WatchMessage) -> WatchEvent? {
    switch message {
    case .snapshotPage(let items):
      return .snapshotPage(items)
    case .snapshotEnd(let revision):
      incarnation = revision.incarnation
      return .snapshotEnd(revision)
    case .changes(let set, let moreFollow):
      part += set.changes
      guard !moreFollow else { return nil }
      defer { part = [] }
      let revision = Revision(set.revision.number, of: incarnation)
      // Changes of kinds from a later schema version are left out, possibly all.
      return part.isEmpty ? .progress(revision) : .changes(ChangeSet(revision: revision, changes: part, user: set.user))
    case .progress(let revision):
      incarnation = revision.incarnation
      return .progress(revision)
    case .unknown:
      return nil
    }
  }
}
