import Glibc
import Testing
import ToDoSupport
import ToDoTestSupport

@Suite(.unitTimeLimited) struct TrustedDirectoryTests {
  private static let replaceable = "other users can replace files in it; restrict it with 'chmod go-w'"

  /// Another user than the one who runs the tests.
  private var otherUser: UInt32 { geteuid() + 1000 }

  @Test func directory_whenMissing_isCreatedPrivate() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/a/b"
      try PrivateFile.createTrustedDirectory(path)
      try PrivateFile.createTrustedDirectory(path)
      var status = stat()
      try #require(stat(path, &status) == 0)
      #expect(status.st_mode & 0o7777 == 0o700)
    }
  }

  @Test(arguments: [0o777, 0o702] as [mode_t], [false, true])
  func directory_whenOthersCanWrite_isRejected_unlessSticky(_ mode: mode_t, _ isParent: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/a/b"
      try PrivateFile.createDirectory(path)
      let open = isParent ? "\(directory)/a" : path
      try #require(chmod(open, mode) == 0)
      #expect(throws: PrivateFileError(open, Self.replaceable)) { try PrivateFile.createTrustedDirectory(path) }
      try #require(chmod(open, mode | mode_t(S_ISVTX)) == 0)
      try PrivateFile.createTrustedDirectory(path)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory to a group"))
  func directory_whenGroupCanWrite_isRejected_unlessItIsTheOwnersGroup() async throws {
    try await withTemporaryDirectory { directory in
      try #require(chmod(directory, 0o770) == 0)
      try PrivateFile.createTrustedDirectory(directory)
      try #require(chown(directory, 0, 1234) == 0)
      #expect(throws: PrivateFileError(directory, Self.replaceable)) {
        try PrivateFile.createTrustedDirectory(directory)
      }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"), arguments: [false, true])
  func directory_whenAnotherUserOwnsIt_isRejected(_ isParent: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/a/b"
      try PrivateFile.createDirectory(path)
      let owned = isParent ? "\(directory)/a" : path
      try #require(chown(owned, 1234, 1234) == 0)
      let error = PrivateFileError(owned, "belongs to another user", isReadableByOthers: true)
      #expect(throws: error) { try PrivateFile.createTrustedDirectory(path) }
    }
  }

  @Test func directory_whenLinkLeadsThroughOpenDirectory_isRejected() async throws {
    try await withTemporaryDirectory { directory in
      let (link, open) = ("\(directory)/link", "\(directory)/open")
      try PrivateFile.createDirectory("\(open)/a")
      try #require(chmod(open, 0o777) == 0)
      try #require(symlink("\(open)/a", link) == 0)
      #expect(throws: PrivateFileError(open, Self.replaceable)) { try PrivateFile.createTrustedDirectory(link) }
      try #require(chmod(open, 0o700) == 0)
      try PrivateFile.createTrustedDirectory("\(link)/b")
    }
  }

  @Test func owner_whenItIsAnotherUser_isRejected_exceptByRoot() async throws {
    try await withTemporaryDirectory { directory in
      try PrivateFile.checkOwner(of: directory)
      try PrivateFile.checkOwner(of: directory, user: 0)
      try PrivateFile.checkOwner(of: "\(directory)/missing", user: otherUser)
      try PrivateFile.checkOwner(of: "/", user: otherUser)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func owner_whenAnotherUserOwnsFile_isRejected() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/file"
      try PrivateFile.create(path)
      try #require(chown(path, 1234, 1234) == 0)
      let error = PrivateFileError(path, "belongs to another user", isReadableByOthers: true)
      #expect(throws: error) { try PrivateFile.checkOwner(of: path, user: otherUser) }
    }
  }
}
