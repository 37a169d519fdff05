import Synchronization
import ToDoSQLite

/// Disk space that is reserved for deletions: a file that is removed when the disk is full.
///
/// A deletion writes to the log before it frees any space in the database, and opening the database creates the log. Without a
/// reserve, both would fail on a full disk.
final class SpaceReserve: Sendable {
  private let path: String
  private let size: Int
  /// Whether the file stays after `close`, for a program that runs only for a moment.
  let isKept: Bool
  private let state = Mutex(State())
  /// Whether the file has its full size; read at each commit.
  private let isHeld = Atomic(true)

  private struct State {
    /// The number of commits before the next attempt to restore the file.
    var commitsToWait = 0
    /// Whether a part of the space was freed to open the database, and only deletions may use it.
    var isForDeletions = false
  }

  /// The suffix that the database's name gets in the reserve's name.
  static let suffix = ".reserve"
  private static let interval = 64
  /// The bytes that opening a database on a full disk needs: for the log and its index.
  private static let openingPart = 128 << 10

  /// - Parameters:
  ///   - size: in bytes; 0 for no reserve.
  ///   - isKept: whether the file stays after `close`.
  init(_ file: DatabaseFile, size: Int, isKept: Bool) {
    path = file.plainPath + Self.suffix
    self.size = size
    self.isKept = isKept
  }

  /// Opens the database. If the disk is full, frees a part of the space first, and more of it if that is not enough.
  ///
  /// - Throws: the error of `open`.
  func opening(_ open: () throws -> SQLiteConnection) throws -> SQLiteConnection {
    while true {
      do { return try open() } catch SQLiteStoreError.full where size > 0 && FileSystem.free(Self.openingPart, of: path)
      {
        isHeld.store(false, ordering: .relaxed)
        state.withLock { $0.isForDeletions = true }
      }
    }
  }

  /// Allocates the file, or what an earlier process left of it. Called after the database is open, whose directory exists
  /// then.
  func allocate() {
    guard size > 0, isHeld.load(ordering: .relaxed) else { return }
    isHeld.store(FileSystem.allocate(size, for: path), ordering: .relaxed)
  }

  /// Whether writes may use the disk. If the database could only be opened with the reserve, nothing but deletions may,
  /// which call `release`, until the disk has space again.
  func admitsWrites() -> Bool {
    if isHeld.load(ordering: .relaxed) { return true }
    return state.withLock { state in
      guard state.isForDeletions else { return true }
      guard FileSystem.allocate(size, for: path) else { return false }
      isHeld.store(true, ordering: .relaxed)
      state.isForDeletions = false
      return true
    }
  }

  /// Frees the space for the next writes.
  func release() {
    guard size > 0 else { return }
    state.withLock { $0 = State(commitsToWait: Self.interval) }
    isHeld.store(false, ordering: .relaxed)
    FileSystem.removeIfPresent(path)
  }

  /// Allocates the file again, if it was released and the disk has space. Called after each commit.
  func restoreIfReleased() {
    if isHeld.load(ordering: .relaxed) { return }
    state.withLock { state in
      if state.commitsToWait > 0 { return state.commitsToWait -= 1 }
      state.commitsToWait = Self.interval
      isHeld.store(FileSystem.allocate(size, for: path), ordering: .relaxed)
    }
  }

  /// Removes the file, or allocates it again if it is kept and the disk has space.
  func close() {
    guard size > 0 else { return }
    if !isKept {
      FileSystem.removeIfPresent(path)
    } else if !isHeld.load(ordering: .relaxed) {
      _ = FileSystem.allocate(size, for: path)
    }
  }
}
