import ToDoModel

extension ChangeSet {
  /// Returns a change set's messages: more than one if it exceeds the maximum size of a frame.
  ///
  /// - Parameter size: the approximate maximum size of a message, in bytes. A single change is never split.
  package func messages(ofSize size: Int = 1 << 20) -> [WatchMessage] {
    var messages: [WatchMessage] = []
    var part = ChangeSet(revision: revision, changes: [], user: user)
    var partSize = 0
    for change in changes {
      let changeSize = change.encodedSizeEstimate + user.utf8.count
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
  /// An upper bound of the change's encoded size, in bytes.
  fileprivate var encodedSizeEstimate: Int {
    switch self {
    case .put(let item, _): 256 + item.content.textSize
    case .deleted: 96
    }
  }
}
