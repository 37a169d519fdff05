import PrivateFiles

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The few calls of the operating system that a database file needs.
enum FileSystem {
  /// Why a call failed.
  struct Failure: Error {
    let code: Int32
    var reason: String { String(cString: strerror(code)) }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The directory that a path lies in.
  static func directory(of path: String) -> String { PrivateFile.directory(of: path) }

  /// Makes a directory and those it lies in, for the user alone; one that is there stays as it is.
  static func makePrivateDirectory(_ path: String) throws(Failure) {
    do { try PrivateFile.createDirectory(path) } catch { throw Failure(code: error.code) }
  }

  /// Makes an empty file for the user alone; there must be none.
  static func makePrivateFile(_ path: String) throws(Failure) {
    do { try PrivateFile.create(path) } catch { throw Failure(code: error.code) }
  }

  /// Gives a file a second name, unless there is such a file; does nothing where files have but one name.
  static func link(_ path: String, as name: String) throws(Failure) {
    #if canImport(Darwin)
      let result = Darwin.link(path, name)
    #elseif canImport(Musl)
      let result = Musl.link(path, name)
    #else
      let result = Glibc.link(path, name)
    #endif
    guard result == 0 || [EEXIST, EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else { throw Failure(code: errno) }
  }

  static func removeIfPresent(_ path: String) { unlink(path) }

  /// Puts a file in the place of another one, for good.
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

  static func sleep(microseconds: UInt32) { usleep(microseconds) }

  /// A number that no other running process has.
  static var processNumber: Int32 { getpid() }
}
