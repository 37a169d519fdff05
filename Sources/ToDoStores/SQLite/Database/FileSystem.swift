import Glibc
import ToDoSupport

/// The calls of the operating system that a database file needs.
enum FileSystem {
  /// The error of a failed call.
  struct Failure: Error {
    /// The value of `errno`.
    let code: Int32
    /// The system's description of the code.
    var reason: String { String(cString: strerror(code)) }
  }

  /// Returns whether a file or a directory exists.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns the directory of a path.
  static func directory(of path: String) -> String { PrivateFile.directory(of: path) }

  /// Creates a directory and its missing parents, private to the user. Existing directories are not changed.
  static func makePrivateDirectory(_ path: String) throws(Failure) {
    do { try PrivateFile.createDirectory(path) } catch { throw Failure(code: error.code) }
  }

  /// Creates an empty file that is private to the user. Fails if the file exists.
  static func makePrivateFile(_ path: String) throws(Failure) {
    do { try PrivateFile.create(path) } catch { throw Failure(code: error.code) }
  }

  /// Links a file under a second name, unless that name exists. Does nothing on file systems without hard links.
  static func link(_ path: String, as name: String) throws(Failure) {
    let result = Glibc.link(path, name)
    guard result == 0 || [EEXIST, EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else { throw Failure(code: errno) }
  }

  /// Removes a file if it exists, and ignores errors.
  static func removeIfPresent(_ path: String) { unlink(path) }

  /// Moves a file to another path, replacing any file there, and syncs the file and the directory.
  static func move(_ path: String, to destination: String) throws(Failure) {
    try sync(path)
    guard rename(path, destination) == 0 else { throw Failure(code: errno) }
    try sync(directory(of: destination))
  }

  private static func sync(_ path: String) throws(Failure) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Failure(code: errno) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw Failure(code: errno) }
  }

  /// The reason why a directory's files cannot be written.
  enum Limitation: Equatable {
    case readOnly
    case full
    /// The user has no permission to write the directory.
    case forbidden(directory: String)
  }

  /// Returns whether the user has the permission to read and write a file.
  static func isWritable(_ path: String) -> Bool { access(path, R_OK | W_OK) == 0 }

  /// Returns why a directory's files cannot be written, or `nil` if its file system is neither read-only nor full and the
  /// user may write the directory.
  ///
  /// - Parameter directory: a path whose last parts may not exist.
  static func limitation(of directory: String) -> Limitation? {
    var (status, directory) = (statvfs(), directory)
    while statvfs(directory, &status) != 0 {
      let parent = Self.directory(of: directory)
      guard parent != directory else { return nil }
      directory = parent
    }
    if status.f_flag & UInt(ST_RDONLY) != 0 { return .readOnly }
    guard !isDirectory(directory) || access(directory, W_OK | X_OK) == 0 else {
      return .forbidden(directory: directory)
    }
    // SQLite's log and its index need this much.
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 64 << 10 ? .full : nil
  }

  /// Creates a directory that is private to the user, with a new name.
  ///
  /// - Parameter parent: the directory that contains it; `nil` for `$TMPDIR`, or `/tmp`.
  static func makeTemporaryDirectory(in parent: String?) throws(Failure) -> String {
    let parent = parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let directory = "\(parent)/todo.\(processNumber).\(UInt64.random(in: 0...UInt64.max))"
    guard mkdir(directory, 0o700) == 0 else { throw Failure(code: errno) }
    return directory
  }

  /// Removes a directory and the files in it, and ignores errors.
  static func removeDirectory(_ directory: String) {
    for name in (try? names(in: directory)) ?? [] { unlink("\(directory)/\(name)") }
    rmdir(directory)
  }

  /// Blocks the thread.
  static func sleep(microseconds: UInt32) { usleep(microseconds) }

  /// The process ID.
  static var processNumber: Int32 { getpid() }
}
