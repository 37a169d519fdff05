import Testing
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// Reads of the log's index while another process changes it. The tests write to the memory that SQLite shares.
@Suite struct LogIndexTests {
  private let directory: TemporaryDirectory
  private let connection: SQLiteConnection
  private let index: LogIndex
  private let memory: UnsafeMutableRawPointer

  init() throws {
    directory = try TemporaryDirectory()
    connection = try SQLiteConnection(path: directory.file("db.sqlite"))
    try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    index = try LogIndex(connection)
    memory = UnsafeMutableRawPointer(mutating: try connection.mapLogIndex(byteCount: 32 << 10))
  }

  @Test func header_betweenCommits_changesWithEach() throws {
    let before = try #require(index.header)
    #expect(index.header == before)
    try connection.run("INSERT INTO t VALUES (2)")
    let after = try #require(index.header)
    #expect(after != before)
    #expect(after.commitCount == before.commitCount + 1)
  }

  /// A writer changes the second copy of the header, and then the first, byte by byte as far as a reader can tell.
  @Test func header_whileAWriterChangesIt_isNil() throws {
    let size = MemoryLayout<LogIndex.Header.Words>.size
    let before = try #require(index.header)
    let bytes = (0..<2 * size).map { memory.load(fromByteOffset: $0, as: UInt8.self) }
    for changed in Array(size..<2 * size) + Array(0..<size - 1) {
      memory.storeBytes(of: ~bytes[changed], toByteOffset: changed, as: UInt8.self)
      #expect(index.header == nil, "after the change of byte \(changed)")
    }
    memory.storeBytes(of: ~bytes[size - 1], toByteOffset: size - 1, as: UInt8.self)
    let after = try #require(index.header)
    #expect(after != before)
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    #expect(index.header == before)
  }
}
