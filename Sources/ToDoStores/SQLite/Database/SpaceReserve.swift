import Synchronization

/// Disk space that is reserved for deletions: a file that is removed when the disk is full.
///
/// A deletion writes to the log before it frees any space in the database. Without a reserve, it would fail on a full disk.
final class SpaceReserve: Sendable {
  private let path: String
  private let size: Int
  /// The number of commits before the next attempt to restore the reserve.
  private let commitsToWait = Mutex(0)
  /// Whether the file exists; read at each commit.
  private let isHeld = Atomic(true)
  private static let interval = 64

  /// - Parameter size: in bytes; 0 for no reserve.
  init(_ file: DatabaseFile, size: Int) {
    path = file.plainPath + ".reserve"
    self.size = size
    if size > 0, !Self.allocate(path, size) { release() }
  }

  /// Frees the space for the next writes.
  func release() {
    guard size > 0 else { return }
    commitsToWait.withLock { $0 = Self.interval }
    isHeld.store(false, ordering: .relaxed)
    FileSystem.removeIfPresent(path)
  }

  /// Allocates the file again, if it was released and the disk has space. Called after each commit.
  func restoreIfReleased() {
    if isHeld.load(ordering: .relaxed) { return }
    commitsToWait.withLock { count in
      if count > 0 { return count -= 1 }
      count = Self.interval
      isHeld.store(Self.allocate(path, size), ordering: .relaxed)
    }
  }

  /// Removes the file.
  func close() {
    if size > 0 { FileSystem.removeIfPresent(path) }
  }

  private static func allocate(_ path: String, _ size: Int) -> Bool {
    do throws(FileSystem.Failure) {
      let file = try PartialFile(path: path)
      try file.allocate(size)
      return true
    } catch {
      FileSystem.removeIfPresent(path)
      return false
    }
  }
}
