import Synchronization
import ToDoSQLite

/// Detects commits of any connection to a database, at the cost of reading memory.
///
/// The connections of all processes to a database in WAL mode share an index of its log in memory. The index's header
/// contains the log's current end, and a commit changes it before the commit returns. The format is part of SQLite's file formats:
/// https://www.sqlite.org/walformat.html, "The WAL-Index File Format".
struct LogIndex: Sendable {
  /// The header at one moment. Two headers of one database are equal only if no commit happened between them.
  struct Header: Equatable {
    typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    let words: Words

    /// A counter that every commit increments, and that starts again when the log is recovered.
    var commitCount: UInt32 { withUnsafeBytes(of: words) { $0.load(fromByteOffset: 8, as: UInt32.self) } }

    /// The number of database pages after the last commit in the log; 0 if the log is empty.
    var pageCount: UInt32 { withUnsafeBytes(of: words) { $0.load(fromByteOffset: 20, as: UInt32.self) } }

    static func == (left: Header, right: Header) -> Bool { left.words == right.words }
  }

  // The memory is only read, and is mapped as long as the connection is open.
  private nonisolated(unsafe) let start: UnsafeRawPointer

  /// - Parameter connection: a connection that has run a statement in WAL mode. It must stay open while the index is used.
  /// - Throws: `SQLiteError`.
  init(_ connection: SQLiteConnection) throws {
    start = try connection.mapLogIndex(byteCount: Self.regionSize)
  }

  /// The current header, or `nil` while another connection is changing it.
  var header: Header? {
    // A writer changes the second copy first, so equal copies are complete.
    let first = start.loadUnaligned(as: Header.Words.self)
    atomicMemoryFence(ordering: .acquiring)
    let second = (start + MemoryLayout<Header.Words>.size).loadUnaligned(as: Header.Words.self)
    atomicMemoryFence(ordering: .acquiring)
    return first == second ? Header(words: first) : nil
  }

  /// The state of the log. Other connections may change it at the same time.
  var log: CheckpointSchedule.Log {
    // `mxFrame` of the header, and `nBackfill` of the structure after the two copies of the header.
    let length = start.load(fromByteOffset: 16, as: UInt32.self)
    let movedLength = start.load(fromByteOffset: 2 * MemoryLayout<Header.Words>.size, as: UInt32.self)
    return CheckpointSchedule.Log(length: Int(length), movedLength: Int(movedLength))
  }

  private static let regionSize: Int32 = 32 << 10
}
