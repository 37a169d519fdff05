import Glibc
import Testing
import ToDoSupport
import ToDoTestSupport

@Suite(.unitTimeLimited) struct PrivateFileTests {
  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  private func entries(_ directory: String) -> Set<String> {
    guard let listing = opendir(directory) else { return [] }
    defer { closedir(listing) }
    var names: Set<String> = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      names.insert(name)
    }
    return names.subtracting([".", ".."])
  }

  @Test func write_createsPrivateFileAndDirectories() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/a/b/file"
      try PrivateFile.write("one", to: path)
      try PrivateFile.write("two", to: path)
      #expect(try PrivateFile.read(path, followsLinks: false) == "two")
      #expect(mode(path).map { $0 & 0o777 } == 0o600)
      #expect(mode("\(directory)/a").map { $0 & 0o777 } == 0o700)
      #expect(entries("\(directory)/a/b") == ["file"])
    }
  }

  @Test(arguments: [
    ("/a/b", "/a"), ("/a", "/"), ("a", "."), ("/a/\u{301}b", "/a"), ("/\u{301}b", "/"), ("a\u{600}/b", "a\u{600}"),
  ])
  func directory_ofPath_endsAtLastSlash(_ path: String, _ directory: String) {
    #expect(Array(PrivateFile.directory(of: path).utf8) == Array(directory.utf8))
  }

  /// Another user may have created the link.
  @Test func write_whenPathIsSymbolicLink_replacesLink() async throws {
    try await withTemporaryDirectory { directory in
      let (target, link) = ("\(directory)/target", "\(directory)/link")
      try PrivateFile.write("old", to: target)
      try #require(symlink(target, link) == 0)
      try PrivateFile.write("new", to: link)
      #expect(try PrivateFile.read(target, followsLinks: false) == "old")
      #expect(try PrivateFile.read(link, followsLinks: false) == "new")
      #expect(mode(link).map { $0 & S_IFMT } == S_IFREG)
    }
  }

  /// If the name of the draft were predictable, another user could create a link with that name in advance.
  @Test func write_whenLinkHasPredictableDraftName_doesNotFollowLink() async throws {
    try await withTemporaryDirectory { directory in
      let (target, path) = ("\(directory)/target", "\(directory)/file")
      try PrivateFile.write("old", to: target)
      try #require(symlink(target, "\(path).\(getpid())") == 0)
      try PrivateFile.write("new", to: path)
      #expect(try PrivateFile.read(target, followsLinks: false) == "old")
    }
  }

  @Test func create_whenPathExists_throws() async throws {
    try await withTemporaryDirectory { directory in
      try PrivateFile.create("\(directory)/file")
      #expect(mode("\(directory)/file").map { $0 & 0o777 } == 0o600)
      try #require(symlink("\(directory)/nowhere", "\(directory)/link") == 0)
      for name in ["file", "link"] {
        let error = #expect(throws: PrivateFileError.self) { try PrivateFile.create("\(directory)/\(name)") }
        #expect(error?.code == EEXIST)
      }
      #expect(entries(directory) == ["file", "link"])
    }
  }

  @Test func read_whenFileDoesNotExist_returnsNil() async throws {
    try await withTemporaryDirectory { directory in
      let text = try PrivateFile.read("\(directory)/file", followsLinks: false)
      #expect(text == nil)
    }
  }

  @Test func read_whenPathIsSymbolicLink_dependsOnFollowsLinks() async throws {
    try await withTemporaryDirectory { directory in
      let (target, link) = ("\(directory)/target", "\(directory)/link")
      try PrivateFile.write("secret", to: target)
      try #require(symlink(target, link) == 0)
      #expect(try PrivateFile.read(link, followsLinks: true) == "secret")
      #expect(throws: PrivateFileError.self) { try PrivateFile.read(link, followsLinks: false) }
    }
  }

  @Test(arguments: [0o640, 0o604, 0o666, 0o620] as [mode_t])
  func read_whenOtherUsersHaveAccess_throws(_ mode: mode_t) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/file"
      try PrivateFile.write("secret", to: path)
      try #require(chmod(path, mode) == 0)
      let error = #expect(throws: PrivateFileError.self) { try PrivateFile.read(path, followsLinks: true) }
      #expect(error?.isReadableByOthers == true)
    }
  }

  @Test func read_whenPathIsPipe_throwsWithoutWaiting() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/pipe"
      try #require(mkfifo(path, 0o600) == 0)
      #expect(throws: PrivateFileError("\(path)", "is not a regular file")) {
        try PrivateFile.read(path, followsLinks: false)
      }
    }
  }

  @Test func read_whenFileExceedsLimit_returnsPrefix() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/file"
      try PrivateFile.write(String(repeating: "x", count: 100), to: path)
      #expect(try PrivateFile.read(path, followsLinks: false, limit: 10)?.utf8.count == 10)
    }
  }

  @Test func restrict_whenOthersCanReadFile_makesItPrivate() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/file"
      try PrivateFile.create(path)
      try #require(chmod(path, 0o644) == 0)
      #expect(PrivateFile.restrict(path))
      #expect(mode(path).map { $0 & 0o777 } == 0o600)
    }
  }

  /// Another user may have put the link or the pipe in the place of the file.
  @Test func restrict_whenPathIsLinkOrPipe_changesNothing() async throws {
    try await withTemporaryDirectory { directory in
      let (target, pipe) = ("\(directory)/target", "\(directory)/pipe")
      try PrivateFile.create(target)
      try #require(chmod(target, 0o644) == 0)
      try #require(symlink(target, "\(directory)/symbolic") == 0)
      try #require(link(target, "\(directory)/hard") == 0)
      try #require(mkfifo(pipe, 0o600) == 0)
      for name in ["symbolic", "hard", "pipe", "missing"] { #expect(!PrivateFile.restrict("\(directory)/\(name)")) }
      #expect(mode(target).map { $0 & 0o777 } == 0o644)
    }
  }
}
