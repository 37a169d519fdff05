import ToDoStores
import ToDoSupport

/// A remedy for a list on this machine that can't be opened.
struct DatabaseRemedy {
  /// The advice to restore a backup.
  static let restore = "restore a backup with 'todo restore --from FILE'"

  /// The advice.
  let text: String

  /// - Parameter path: the database.
  init(_ error: any Error, path: String) {
    let directory = PrivateFile.directory(of: path)
    text =
      switch error {
      case SQLiteStoreError.notWritable(_, let obstacle): "make it writable: chmod u+w \(obstacle)"
      case SQLiteStoreError.readOnly:
        "mount the file system of \(directory) for writing; until then, you can read the list"
      case SQLiteStoreError.full: "free some space on the file system of \(directory)"
      case SQLiteStoreError.cannotOpen:
        "check that \(path) and \(directory) belong to you: chmod u+rw \(path); chmod u+rwx \(directory)"
      case SQLiteStoreError.locked: "end the other program that has the list open, and try again"
      case SQLiteStoreError.newerSchema: "install the latest version of this program"
      case SQLiteStoreError.empty: "\(Self.restore), or delete \(path) and \(path).reserve to begin a new list"
      case SQLiteStoreError.lost(_, let remnant): "\(Self.restore), or delete \(remnant) to begin a new list"
      default: "\(Self.restore), or move the file away to begin a new list"
      }
  }
}
