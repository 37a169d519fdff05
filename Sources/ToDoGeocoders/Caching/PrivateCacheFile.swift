import Glibc
import ToDoSQLite
import ToDoSupport

/// The file of cached results, which only the user can read and write.
enum PrivateCacheFile {
  /// Opens the file, and creates it or its table if it is missing.
  ///
  /// - Throws: `PrivateFileError` if the file cannot be created; `SQLiteError`, with the code `busy` while another process replaces
  ///   the file, and `notADatabase` if the file has another schema.
  static func open(_ path: String) throws -> SQLiteConnection {
    if !isPrivate(path) { try replace(path) }
    return try .cache(path)
  }

  private static func isPrivate(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o077 == 0
      && status.st_uid == geteuid()
  }

  /// Creates the file in place of any other: another user's would show that user the addresses, and could contain wrong
  /// coordinates.
  private static func replace(_ path: String) throws {
    let directory = PrivateFile.directory(of: path)
    try PrivateFile.createDirectory(directory)
    // Otherwise a process could remove the file that another one has just created.
    let lock = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    if lock >= 0, flock(lock, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw SQLiteError(.busy) }
    guard !isPrivate(path) else { return }
    for file in [path, path + "-journal", path + "-wal", path + "-shm"] { unlink(file) }
    try PrivateFile.create(path)
  }
}
