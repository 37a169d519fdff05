import Glibc
import ToDoSQLite

extension FileSystem {
  /// The device and inode number of a file, which identify it under any name.
  struct Identity: Equatable {
    let device: UInt64
    let number: UInt64
  }

  /// Returns the identity of the file at a path, or `nil` if there is no such file.
  static func identity(of path: String) -> Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(status)
  }

  /// Returns the identity of the file at a path, or `nil` if there is certainly no file.
  ///
  /// - Throws: `Failure` if the path cannot be read.
  static func currentIdentity(of path: String) throws(Failure) -> Identity? {
    var status = stat()
    if stat(path, &status) == 0 { return Identity(status) }
    guard [ENOENT, ENOTDIR].contains(errno) else { throw Failure(code: errno) }
    return nil
  }

  /// Returns whether a path is a directory.
  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns whether a path is a regular file, not a device, a pipe or a directory.
  static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the number of bytes in a file, or `nil` if there is no such file.
  static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Returns the first bytes of a file; fewer if the file is shorter, and none if it cannot be read.
  static func firstBytes(of path: String, count: Int) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let length = read(file, &bytes, count)
    return Array(bytes.prefix(max(0, length)))
  }

  /// Returns the permission bits of a file, or `nil` if there is no such file.
  static func permissions(of path: String) -> UInt32? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : nil
  }

  /// Returns the names in a directory, in no particular order.
  static func names(in directory: String) throws(Failure) -> [String] {
    guard let stream = opendir(directory) else { throw Failure(code: errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0 != "." && $0 != ".." }
  }

  /// Returns the ID of a process that holds one of SQLite's locks on a database file, or `nil` if no other process does.
  ///
  /// Must not be called for a file that this process has open: closing any descriptor of a file drops the process's locks.
  static func processUsingDatabase(at path: String) -> Int32? {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // The lock bytes of SQLite's file format: https://www.sqlite.org/fileformat2.html, "The Lock-Byte Page".
    var lock = flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0000, l_len: 512, l_pid: 0)
    guard fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
    return lock.l_pid
  }

  fileprivate static func lockExclusively(_ file: Int32) -> Bool { flock(file, LOCK_EX | LOCK_NB) == 0 }
}

extension FileSystem.Identity {
  fileprivate init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
  }
}

extension FileSystem.Failure {
  /// Whether another process holds a lock.
  var isBusy: Bool { code == EWOULDBLOCK }
}

extension FileSystem {
  /// Makes a private file at least as large as `size`, with all of its bytes on the disk. Creates a missing file.
  ///
  /// - Returns: whether the file is large enough. If the disk has no space, the file keeps its size.
  static func allocate(_ size: Int, for path: String) -> Bool {
    changeSize(of: path, flags: O_CREAT) { file, former in
      guard former < size else { return true }
      let isAllocated = posix_fallocate(file, 0, off_t(size)) == 0
      if !isAllocated { ftruncate(file, off_t(former)) }
      if !isAllocated, former == 0 { unlink(path) }
      return isAllocated
    }
  }

  /// Reduces the size of a file by `count` bytes, and removes it if nothing is left.
  ///
  /// - Returns: whether space was freed.
  static func free(_ count: Int, of path: String) -> Bool {
    changeSize(of: path) { file, former in
      guard former > count else { return unlink(path) == 0 && former > 0 }
      return ftruncate(file, off_t(former - count)) == 0
    }
  }

  /// Opens a file with one name, and runs `change` on its descriptor and its size.
  private static func changeSize(
    of path: String, flags: Int32 = 0, _ change: (_ file: Int32, _ former: Int) -> Bool
  ) -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else { return false }
    return change(file, Int(status.st_size))
  }
}

/// Copies files that no process writes to.
enum FileCopy {
  /// Copies a file's bytes to a private file, which replaces an earlier one, and syncs it.
  ///
  /// Must not be called for a database that this process has open: closing any descriptor of a file drops the process's locks.
  ///
  /// - Throws: `FileSystem.Failure`.
  static func write(_ path: String, to destination: String) throws {
    try write(to: destination) { try $0.append(contentsOf: path) }
  }

  /// Copies a database through a connection that excludes all others, which keeps its locks.
  ///
  /// - Throws: `FileSystem.Failure`, `SQLiteError`.
  static func write(_ db: SQLiteConnection, to destination: String) throws {
    try write(to: destination) { partial in
      let copy = try SQLiteConnection(path: partial.path)
      // The file counts only once it is complete and synced as a whole.
      try copy.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
      try db.backUp(to: copy)
      try copy.close()
    }
  }

  /// Links a file under a second name, or copies it on file systems without hard links.
  ///
  /// - Parameter db: the connection that has the file open and excludes all others; `nil` if this process has not opened it.
  /// - Throws: `FileSystem.Failure`, `SQLiteError`.
  static func link(_ path: String, as name: String, openIn db: SQLiteConnection?) throws {
    try FileSystem.link(path, as: name)
    guard FileSystem.identity(of: path) != FileSystem.identity(of: name) else { return }
    if let db { try write(db, to: name) } else { try write(path, to: name) }
  }

  private static func write(to destination: String, _ fill: (PartialFile) throws -> Void) throws {
    let partial = try PartialFile(path: destination + ".part")
    do {
      try fill(partial)
      try partial.finish(as: destination)
    } catch {
      partial.remove()
      throw error
    }
  }
}

/// A private file that one process at a time fills under a shared name.
///
/// A process that ends early leaves the file behind, and the next process takes it over.
final class PartialFile {
  let path: String
  private let descriptor: Int32

  /// Creates the file, or empties the file that an earlier process left.
  ///
  /// - Throws: `FileSystem.Failure`; its code is `EWOULDBLOCK` if another process is filling the file.
  init(path: String) throws(FileSystem.Failure) {
    self.path = path
    // Not in this initializer: when it throws after all properties are set, `deinit` closes the descriptor as well.
    descriptor = try Self.emptyFile(path)
    removeLogs()
  }

  /// Returns a descriptor of the file, which is locked and empty.
  private static func emptyFile(_ path: String) throws(FileSystem.Failure) -> Int32 {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw FileSystem.Failure(code: errno) }
    do throws(FileSystem.Failure) {
      try takeOver(file, at: path)
      return file
    } catch {
      close(file)
      throw error
    }
  }

  private static func takeOver(_ file: Int32, at path: String) throws(FileSystem.Failure) {
    // The process that held the lock may have renamed the file before releasing it. Then the file is complete.
    var status = stat()
    guard FileSystem.lockExclusively(file), fstat(file, &status) == 0,
      FileSystem.identity(of: path) == FileSystem.Identity(status)
    else { throw FileSystem.Failure(code: EWOULDBLOCK) }
    // A second name is that of another file, which another user may have linked here.
    guard status.st_nlink == 1 else { throw FileSystem.Failure(code: EMLINK) }
    guard fchmod(file, 0o600) == 0, ftruncate(file, 0) == 0 else { throw FileSystem.Failure(code: errno) }
  }

  deinit { close(descriptor) }

  /// Appends the bytes of another file.
  func append(contentsOf path: String) throws(FileSystem.Failure) {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw FileSystem.Failure(code: errno) }
    defer { close(source) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileSystem.Failure(code: errno) }
      if count == 0 { return }
      try append(buffer[..<count])
    }
  }

  /// A disk that becomes full takes a part of the bytes, and names the reason only when it is given the rest.
  private func append(_ bytes: ArraySlice<UInt8>) throws(FileSystem.Failure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileSystem.Failure(code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Syncs the file.
  func sync() throws(FileSystem.Failure) {
    guard fsync(descriptor) == 0 else { throw FileSystem.Failure(code: errno) }
  }

  /// Renames the complete file to its final name, and syncs both.
  func finish(as destination: String) throws(FileSystem.Failure) {
    removeLogs()
    try FileSystem.move(path, to: destination)
  }

  /// Removes the file and its logs.
  func remove() {
    FileSystem.removeIfPresent(path)
    removeLogs()
  }

  private func removeLogs() {
    for suffix in ["-journal", "-wal", "-shm"] { FileSystem.removeIfPresent(path + suffix) }
  }
}
