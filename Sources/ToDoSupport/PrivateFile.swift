import Glibc

/// Files that only their owner can read.
///
/// All programs of this package create their tokens, databases and caches with this type. It checks open file descriptors,
/// never paths, so that no other process can replace a file between a check and its use.
package enum PrivateFile {
  /// The default maximum size of a file to read.
  package static let defaultSizeLimit = 64 << 10

  /// Returns the contents of a file as text, or `nil` if the file does not exist.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - followsLinks: whether the path may be a symbolic link. Use `true` for a path from the user, which may be a mounted
  ///     secret or a pipe, and `false` for a path that a program derives.
  ///   - limit: the maximum number of bytes to read. The rest of a longer file is ignored.
  /// - Throws: `PrivateFileError` if the file cannot be read, belongs to another user or can be read by other users.
  package static func read(
    _ path: String, followsLinks: Bool, limit: Int = defaultSizeLimit
  ) throws(PrivateFileError) -> String? {
    try bytes(of: path, followsLinks: followsLinks, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns a file's contents, or `nil` if the file does not exist.
  ///
  /// Parameters and errors are those of `read(_:followsLinks:limit:)`.
  package static func bytes(
    of path: String, followsLinks: Bool, limit: Int = defaultSizeLimit
  ) throws(PrivateFileError) -> [UInt8]? {
    // O_NONBLOCK: opening a named pipe must not wait for its writer. A path from the user may be a pipe.
    let file = open(path, O_RDONLY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW | O_NONBLOCK))
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw PrivateFileError(path, code: errno)
    }
    defer { close(file) }
    try check(file, path, isFollowed: followsLinks)
    var bytes = [UInt8](repeating: 0, count: limit)
    var length = 0
    while length < bytes.count {
      let count = bytes[length...].withUnsafeMutableBytes { systemRead(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw PrivateFileError(path, code: errno) }
      if count == 0 { break }
      length += count
    }
    bytes.removeLast(bytes.count - length)
    return bytes
  }

  /// Replaces a file atomically: other processes see either the previous or the new contents.
  ///
  /// The directory is created if it does not exist. A symbolic link at the path is replaced, not followed.
  ///
  /// - Throws: `PrivateFileError`; the file at the path is then unchanged.
  package static func write(_ bytes: [UInt8], to path: String) throws(PrivateFileError) {
    try createDirectory(directory(of: path))
    let draft = "\(path).\(UInt64.random(in: 0...UInt64.max)).new"
    let file = try descriptor(ofNew: draft)
    let isWritten = writeAll(bytes, to: file) && fsync(file) == 0
    let code = errno
    close(file)
    guard isWritten, rename(draft, path) == 0 else {
      let failure = PrivateFileError(path, code: isWritten ? errno : code)
      unlink(draft)
      throw failure
    }
    synchronize(directory(of: path))
  }

  /// Writes a text in UTF-8, as `write(_:to:)` writes bytes.
  package static func write(_ text: String, to path: String) throws(PrivateFileError) {
    try write(Array(text.utf8), to: path)
  }

  /// Creates an empty file.
  ///
  /// - Throws: `PrivateFileError` if anything exists at the path, a symbolic link included.
  package static func create(_ path: String) throws(PrivateFileError) {
    close(try descriptor(ofNew: path))
  }

  /// Removes the permissions of other users from a file, unless the file is a link or has several names.
  ///
  /// - Returns: whether the file has permissions for its owner only.
  @discardableResult
  package static func restrict(_ path: String) -> Bool {
    // Not chmod, which follows a link that another user may have created.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else { return false }
    return fchmod(file, 0o600) == 0
  }

  /// Creates a directory and its missing parents with permissions for the owner only. Existing directories are not
  /// changed.
  ///
  /// - Throws: `PrivateFileError`.
  package static func createDirectory(_ path: String) throws(PrivateFileError) {
    if mkdir(path, 0o700) == 0 { return }
    let code = errno
    if code == ENOENT, directory(of: path) != path {
      try createDirectory(directory(of: path))
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw PrivateFileError(path, code: errno) }
    } else if access(path, F_OK) != 0 {
      throw PrivateFileError(path, code: code)
    }
  }

  /// Returns the parent directory of a path.
  package static func directory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension PrivateFile {
  private static func descriptor(ofNew path: String) throws(PrivateFileError) -> Int32 {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw PrivateFileError(path, code: errno) }
    return file
  }

  private static func check(_ file: Int32, _ path: String, isFollowed: Bool) throws(PrivateFileError) {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw PrivateFileError(path, code: errno) }
    guard isFollowed || status.st_mode & S_IFMT == S_IFREG else {
      throw PrivateFileError(path, "is not a regular file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw PrivateFileError(path, "other users can access it; restrict it with 'chmod 600'", isReadableByOthers: true)
    }
    // Root may read the files of all users, and the files of root are trusted.
    guard [geteuid(), 0].contains(status.st_uid) || geteuid() == 0 else {
      throw PrivateFileError(path, "belongs to another user", isReadableByOthers: true)
    }
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = systemWrite(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Syncs a directory, so that a rename in it survives a power failure if the file system supports that.
  private static func synchronize(_ directory: String) {
    let file = open(directory, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }
}

/// An error of reading or writing a private file.
package struct PrivateFileError: Error, Equatable, CustomStringConvertible {
  /// The path and the reason.
  package let description: String
  /// The reason and, if known, the remedy.
  package let reason: String
  /// The operating system's error code; 0 if the file itself is not acceptable.
  package let code: Int32
  /// Whether the file is not private: other users can access it, or it belongs to another user.
  package let isReadableByOthers: Bool

  /// Creates the error of a file that is not acceptable.
  package init(_ path: String, _ reason: String, isReadableByOthers: Bool = false) {
    description = "\(path): \(reason)"
    self.reason = reason
    code = 0
    self.isReadableByOthers = isReadableByOthers
  }

  init(_ path: String, code: Int32) {
    reason = String(cString: strerror(code))
    description = "\(path): \(reason)"
    self.code = code
    isReadableByOthers = false
  }
}

// The system calls, under names that do not conflict with the methods above.
private let (systemRead, systemWrite) = (read, write)
