import SQLite
import Synchronization

/// Disk space that is reserved for deletions: a file that is removed when the disk is full.
///
/// A deletion writes to the log before it frees any space in the database, and opening the database creates the log. Without a
/// reserve, both would fail on a full disk.
final class SpaceReserve: Sendable {
  private let path: String
  private let size: Int
  /// Whether the file stays after `close`, for a program that runs only for a moment.
  let isKept: Bool
  /// The number of commits before the next attempt to restore the reserve.
  private let commitsToWait = Mutex(0)
  /// Whether the file exists; read at each commit.
  private let isHeld = Atomic(true)
  private static let interval = 64

  /// - Parameters:
  ///   - size: in bytes; 0 for no reserve.
  ///   - isKept: whether the file stays after `close`.
  init(_ file: DatabaseFile, size: Int, isKept: Bool) {
    path = file.plainPath + ".reserve"
    self.size = size
    self.isKept = isKept
  }

  /// Opens the database, and frees the space if the disk is full.
  ///
  /// - Throws: the error of `open`.
  func opening(_ open: () throws -> Connection) throws -> Connection {
    do {
      return try open()
    } catch SQLiteStoreError.full where size > 0 && FileSystem.exists(path) {
      release()
      return try open()
    }
  }

  /// Allocates the file, unless an earlier process kept it. Called after the database is open, whose directory exists then.
  func allocate() {
    guard size > 0, isHeld.load(ordering: .relaxed), !(isKept && FileSystem.exists(path)) else { return }
    if !Self.allocate(path, size) { release() }
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

  /// Removes the file, or allocates it again if it is kept and the disk has space.
  func close() {
    guard size > 0 else { return }
    if !isKept {
      FileSystem.removeIfPresent(path)
    } else if !isHeld.load(ordering: .relaxed) {
      _ = Self.allocate(path, size)
    }
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
