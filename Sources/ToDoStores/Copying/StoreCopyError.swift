/// The reason why a store could not be moved. The source is unchanged.
package enum StoreCopyError: Error, Equatable, Sendable {
  /// The target contains lists, users or tokens. `target` is a file's path, or `nil` for a PostgreSQL database.
  case targetNotEmpty(target: String?)
  /// The target contains an interrupted copy of another store.
  case otherSource(target: String?)
  /// Another process is copying to the target.
  case targetBusy
  /// The source was written to during the copy; `list` is a list that changed, if any.
  case sourceChanged(list: String?)
  /// The deletion of many items in a list was interrupted.
  case unfinishedDeletion(list: String)
  /// A list's counters are out of range.
  case invalidCounters(list: String)
  /// A former state of an item belongs to no change.
  case damagedHistory(list: String)
  /// The copy of a list differs from the source.
  case mismatch(list: String)
  /// The copies of the users and tokens, or the set of lists, differ from the source.
  case differentContents
  /// An engine failed.
  case failed(reason: String)
}

extension StoreCopyError: CustomStringConvertible {
  /// A human-readable message.
  package var description: String {
    switch self {
    case .targetNotEmpty(let path?): "\(path) already exists; choose another path"
    case .targetNotEmpty(nil):
      "the target database already contains lists, users or tokens; create an empty database"
    case .otherSource(let path):
      "\(path ?? "the target database") contains an interrupted copy of another store; "
        + (path == nil ? "create an empty database" : "remove the file")
    case .targetBusy: "another process is copying to the target; wait until it has ended"
    case .sourceChanged(let list):
      (list.map { "the list \($0) changed" } ?? "the source changed")
        + " during the copy; stop the servers of the source, then run the command again to copy what changed"
    case .unfinishedDeletion(let list):
      "a deletion of many items of the list \(list) was interrupted; start the server on the source, show the list "
        + "once, then stop the server and run the command again"
    case .invalidCounters(let list):
      "the counters of the list \(list) are invalid; run 'todo-server check' on the source, or restore a backup"
    case .damagedHistory(let list):
      "the history of the list \(list) is damaged; run 'todo-server check' on the source"
    case .mismatch(let list):
      "the copy of the list \(list) differs from the source; run the command again to copy the list again"
    case .differentContents:
      "the copy contains other lists, users or tokens than the source; copy to an empty target that no server uses"
    case .failed(let reason): "\(reason); run the command again to continue the copy"
    }
  }
}
