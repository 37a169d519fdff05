import Foundation
import Glibc
import Testing
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct FileCopyTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let copy: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
    copy = directory.file("copy.sqlite")
    try DatabaseFile(path: path).open().close()
  }

  /// Returns whether a process holds one of SQLite's locks on a file, which may be this one. Closing the descriptor drops them.
  private func isLocked(_ file: Int32) -> Bool {
    // F_OFD_GETLK, which Swift does not import. It finds the locks of the own process, too.
    let command: Int32 = 36
    var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0000, l_len: 512, l_pid: 0)
    return fcntl(file, command, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }

  @Test func write_ofAnOpenDatabase_keepsItsLocks() throws {
    let file = open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    let db = try DatabaseFile(path: path).openExclusively()
    try #require(isLocked(file))
    try FileCopy.write(db, to: copy)
    #expect(isLocked(file))
    #expect(try DatabaseCheck(path: copy).run().problems == [])
    #expect(try directory.files == ["copy.sqlite", "items.sqlite"])
    try db.close()
  }

  /// A name that exists stands for a file system without hard links.
  @Test func link_ofAnOpenDatabase_whereLinksAreImpossible_keepsItsLocks() throws {
    try Data("earlier".utf8).write(to: URL(filePath: copy))
    let file = open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    let db = try DatabaseFile(path: path).openExclusively()
    try FileCopy.link(path, as: copy, openIn: db)
    #expect(isLocked(file))
    #expect(try DatabaseCheck(path: copy).run().problems == [])
    try db.close()
  }

  @Test func link_whereLinksAreImpossible_copiesTheBytes() throws {
    try Data("earlier".utf8).write(to: URL(filePath: copy))
    try FileCopy.link(path, as: copy, openIn: nil)
    #expect(try Data(contentsOf: URL(filePath: copy)) == Data(contentsOf: URL(filePath: path)))
  }
}
