import ToDoModel
import ToDoRules

extension ChangeSet {
  /// The messages that tell a change set: more than one when it would outgrow a frame.
  ///
  /// - Parameter size: how many bytes a message should have at most, about; one change is never split.
  package func messages(ofSize size: Int = 1 << 20) -> [WatchMessage] {
    var messages: [WatchMessage] = []
    var part = ChangeSet(revision: revision, changes: [])
    var partSize = 0
    for change in changes {
      let changeSize = change.encodedSizeEstimate
      if partSize + changeSize > size, !part.changes.isEmpty {
        messages.append(.changes(part, moreFollow: true))
        part.changes = []
        partSize = 0
      }
      part.changes.append(change)
      partSize += changeSize
    }
    messages.append(.changes(part, moreFollow: false))
    return messages
  }
}

extension ItemChange {
  /// Not less than the change's encoded size.
  fileprivate var encodedSizeEstimate: Int {
    switch self {
    case .put(let item, _): 256 + item.content.textSize
    case .deleted: 96
    }
  }
}
