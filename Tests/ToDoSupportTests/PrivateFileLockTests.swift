import Glibc
import Testing
import ToDoSupport
import ToDoTestSupport

@Suite(.unitTimeLimited) struct PrivateFileLockTests {
  @Test func lock_whenFileIsLocked_isNotAcquired() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/a/lock"
      let lock = try #require(try PrivateFileLock(path))
      let second = try PrivateFileLock(path)
      #expect(second == nil)
      lock.release()
      let third = try PrivateFileLock(path)
      #expect(third != nil)
    }
  }

  @Test func lock_whenDestroyed_isReleased() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/lock"
      var lock = try PrivateFileLock(path)
      #expect(lock != nil)
      lock = nil
      lock = try PrivateFileLock(path)
      #expect(lock != nil)
    }
  }

  @Test func lock_whenPathIsSymbolicLink_fails() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/lock"
      try #require(symlink("\(directory)/target", path) == 0)
      #expect(throws: PrivateFileError.self) { _ = try PrivateFileLock(path) }
    }
  }
}
