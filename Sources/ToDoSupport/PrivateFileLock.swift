import Glibc

/// An exclusive lock on a file, held until it is released or this value is destroyed.
///
/// The operating system releases the lock when the process ends, even after a crash. The file remains, because deleting
/// it would let two processes lock two files with the same path.
package final class PrivateFileLock: Sendable {
  private let file: Int32

  /// Locks a file, without waiting. The file and its directory are created if they do not exist.
  ///
  /// - Returns: `nil` if the file is locked by another process or by another value in this process.
  /// - Throws: `PrivateFileError`.
  package init?(_ path: String) throws(PrivateFileError) {
    try PrivateFile.createDirectory(PrivateFile.directory(of: path))
    // A program that this process starts must not inherit the lock.
    let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw PrivateFileError(path, code: errno) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(file)
      guard code == EWOULDBLOCK else { throw PrivateFileError(path, code: code) }
      return nil
    }
    self.file = file
  }

  deinit { close(file) }

  /// Releases the lock.
  package func release() { _ = flock(file, LOCK_UN) }
}
