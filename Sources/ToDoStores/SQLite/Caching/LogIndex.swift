import GRDB
import GRDBSQLite
import Synchronization

/// Says at the cost of reading memory whether a database was written to, by anybody.
///
/// The connections to a database in WAL mode, of all programs, share an index of its log in memory. Its header tells the
/// present end of the log, and a commit changes it before it returns. The format is part of SQLite's file formats:
/// https://www.sqlite.org/walformat.html, "The WAL-Index File Format".
struct LogIndex: Sendable {
  /// What the database was like at one moment. Two of one database are equal only when nothing was written between them.
  struct Header: Equatable {
    typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    let words: Words

    /// Grows by one with every commit, and starts again with a log that had to be recovered.
    var commitCount: UInt32 { withUnsafeBytes(of: words) { $0.load(fromByteOffset: 8, as: UInt32.self) } }

    static func == (left: Header, right: Header) -> Bool { left.words == right.words }
  }

  // It is only read, and there for as long as the connection is open.
  private nonisolated(unsafe) let start: UnsafeRawPointer

  /// - Parameter connection: has been asked something in WAL mode, and is open for longer than this is asked.
  /// - Throws: `DatabaseError`.
  init(_ connection: OpaquePointer) throws {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    var region: UnsafeMutableRawPointer?
    guard code == SQLITE_OK, let methods = file?.pointee.pMethods?.pointee, methods.iVersion >= 2,
      let map = methods.xShmMap, map(file, 0, Self.regionSize, 0, &region) == SQLITE_OK, let region
    else { throw DatabaseError(resultCode: .SQLITE_IOERR) }
    start = UnsafeRawPointer(region)
  }

  /// - Returns: `nil` while another commit is being noted.
  var header: Header? {
    // A writer changes the second copy first, so equal copies are whole ones.
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
