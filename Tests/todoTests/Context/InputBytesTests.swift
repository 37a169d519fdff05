import Foundation
import Glibc
import Testing
import ToDoTestSupport

@testable import todo

@Suite struct InputBytesTests {
  @Test(arguments: [0, 1, 200_000]) func read_ofFile_returnsItsBytes(count: Int) throws {
    let directory = try TemporaryDirectory()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    try Data(bytes).write(to: URL(filePath: directory.file("input")))
    #expect(try InputBytes.read(path: directory.file("input"), limit: count) == bytes)
    guard count > 0 else { return }
    #expect(throws: InputBytes.ReadError.exceedsLimit) {
      try InputBytes.read(path: directory.file("input"), limit: count - 1)
    }
  }

  @Test func read_ofEndlessFile_endsAtTheLimit() {
    #expect(throws: InputBytes.ReadError.exceedsLimit) { try InputBytes.read(path: "/dev/zero", limit: 100_000) }
  }

  @Test(arguments: [("/nowhere/file", ENOENT), ("/", EISDIR)])
  func read_whenItFails_throwsTheError(path: String, number: Int32) {
    #expect(throws: InputBytes.ReadError.failed(number)) { try InputBytes.read(path: path, limit: 1) }
  }
}
