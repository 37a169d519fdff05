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

  /// The locks that this process holds on the database.
  private func locks() throws -> Int {
    let number = try #require(FileSystem.identity(of: path)?.number)
    let file = try #require(FileHandle(forReadingAtPath: "/proc/locks"))
    // The system returns a part of the locks for each read.
    var text = Data()
    while let part = try file.read(upToCount: 1 << 16), !part.isEmpty { text += part }
    try file.close()
    let locks = String(decoding: text, as: UTF8.self).split(separator: "\n")
    return locks.count { $0.contains(" POSIX ") && $0.contains(" \(getpid()) ") && $0.contains(":\(number) ") }
  }

  @Test func write_ofAnOpenDatabase_keepsItsLocks() throws {
    let db = try DatabaseFile(path: path).openExclusively()
    let held = try locks()
    try #require(held > 0)
    try FileCopy.write(db, to: copy)
    #expect(try locks() == held)
    #expect(try DatabaseCheck(path: copy).run().problems == [])
    #expect(try directory.files == ["copy.sqlite", "items.sqlite"])
    try db.close()
  }

  /// A name that exists stands for a file system without hard links.
  @Test func link_ofAnOpenDatabase_whereLinksAreImpossible_keepsItsLocks() throws {
    try Data("earlier".utf8).write(to: URL(filePath: copy))
    let db = try DatabaseFile(path: path).openExclusively()
    let held = try locks()
    try FileCopy.link(path, as: copy, openIn: db)
    #expect(try locks() == held)
    #expect(try DatabaseCheck(path: copy).run().problems == [])
    try db.close()
  }

  @Test func link_whereLinksAreImpossible_copiesTheBytes() throws {
    try Data("earlier".utf8).write(to: URL(filePath: copy))
    try FileCopy.link(path, as: copy, openIn: nil)
    #expect(try Data(contentsOf: URL(filePath: copy)) == Data(contentsOf: URL(filePath: path)))
  }
}
