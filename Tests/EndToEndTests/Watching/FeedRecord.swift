import ToDoModel

/// What one watcher was told, from its beginning.
struct FeedRecord: Sendable {
  enum Entry: Sendable {
    /// A watch was started; after the first, it resumes the one before.
    case started(WatchStart)
    case told(WatchEvent)
  }

  let watcher: String
  let state: ItemState
  var entries: [Entry] = []
}
