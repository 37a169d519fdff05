import Synchronization

/// Room on the disk that only deletions get: a file that is removed when the disk is full.
///
/// A deletion writes to the log before it makes any room in the database, so that it fails on a full disk otherwise.
final class SpaceReserve: Sendable {
  private let path: String
  private let size: Int
  /// The number of commits before the next attempt to get the room back.
  private let commitsToWait = Mutex(0)
  /// Whether the file is there; read at each commit.
  private let isHeld = Atomic(true)
  private static let interval = 64

  /// - Parameter size: in bytes; 0 for no reserve.
  init(_ file: DatabaseFile, size: Int) {
    path = file.plainPath + ".reserve"
    self.size = size
    if size > 0, !Self.allocate(path, size) { release() }
  }

  /// Gives the room to the writes that come next.
  func release() {
    guard size > 0 else { return }
    commitsToWait.withLock { $0 = Self.interval }
    isHeld.store(false, ordering: .relaxed)
    FileSystem.removeIfPresent(path)
  }

  /// Takes the room back if there is any, after a commit.
  func restoreIfReleased() {
    if isHeld.load(ordering: .relaxed) { return }
    commitsToWait.withLock { count in
      if count > 0 { return count -= 1 }
      count = Self.interval
      isHeld.store(Self.allocate(path, size), ordering: .relaxed)
    }
  }

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
