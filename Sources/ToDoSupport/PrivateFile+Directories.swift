import Glibc

extension PrivateFile {
  /// Creates a directory as `createDirectory(_:)` does, and checks that no other user can replace files in it.
  ///
  /// Use it for a file that another program opens by its path, and that could have become a link to another file by then.
  /// The directory and those above it must belong to the user or to root. Other users may only be able to write in sticky
  /// directories, such as `/tmp`.
  ///
  /// - Parameter user: the user who runs this process, if it is not the current one. Not even root may trust another user's.
  /// - Throws: `PrivateFileError`.
  package static func createTrustedDirectory(_ path: String, user: UInt32? = nil) throws(PrivateFileError) {
    let user = user ?? geteuid()
    try createDirectory(path)
    guard let resolved = realpath(path, nil) else { throw PrivateFileError(path, code: errno) }
    defer { free(resolved) }
    for path in [path, String(cString: resolved)] {
      try checkEntry(path, user: user, isParent: false)
      var (child, parent) = (path, directory(of: path))
      while parent != child {
        try checkEntry(parent, user: user, isParent: true)
        (child, parent) = (parent, directory(of: parent))
      }
    }
  }

  /// Checks that a file or a directory does not belong to another user. A missing file is valid.
  ///
  /// - Parameter user: the user who runs this process, if it is not the current one. Root may use the files of all users.
  /// - Throws: `PrivateFileError`.
  package static func checkOwner(of path: String, user: UInt32? = nil) throws(PrivateFileError) {
    let user = user ?? geteuid()
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard [ENOENT, ENOTDIR].contains(errno) else { throw PrivateFileError(path, code: errno) }
      return
    }
    guard user == 0 || [user, 0].contains(status.st_uid) else { throw belongsToAnother(path) }
  }

  /// Checks one directory, or a link to a directory, whose target is checked separately.
  private static func checkEntry(_ path: String, user: uid_t, isParent: Bool) throws(PrivateFileError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw PrivateFileError(path, code: errno) }
    let owner = status.st_uid
    // In a container whose user namespace does not map the host's root, its directories belong to `unmappedUser`.
    guard [user, 0].contains(owner) || (isParent && owner == unmappedUser) else { throw belongsToAnother(path) }
    let mode = status.st_mode
    guard mode & S_IFMT != S_IFLNK, mode & S_ISVTX == 0 else { return }
    // By convention, a group with the number of a user has no other members.
    let isWritableByGroup = mode & S_IWGRP != 0 && status.st_gid != owner
    guard mode & S_IWOTH == 0, !isWritableByGroup else {
      throw PrivateFileError(path, "other users can replace files in it; restrict it with 'chmod go-w'")
    }
  }

  private static func belongsToAnother(_ path: String) -> PrivateFileError {
    PrivateFileError(path, "belongs to another user", isReadableByOthers: true)
  }

  /// The number that Linux shows for users that a user namespace does not map.
  private static let unmappedUser: uid_t = 65_534
}
