import ToDoModel

/// The events that one watcher received.
struct FeedRecord: Sendable {
  enum Entry: Sendable {
    /// The watcher started a watch; each but the first resumes the previous one.
    case started(WatchStart)
    /// The watcher received an event.
    case received(WatchEvent)
  }

  let watcher: String
  let state: ItemState
  var entries: [Entry] = []
}
