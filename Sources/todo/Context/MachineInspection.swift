import ToDoStores

/// The questions that `todo doctor` asks the machine rather than the service.
struct MachineInspection: Sendable {
  /// A database file, with the findings of a check.
  struct Database: Sendable {
    /// The permission bits of the file.
    var permissions: UInt32
    /// The number of bytes that the user can still write to the file system.
    var freeBytes: Int64
    var report: DatabaseCheck.Report
  }

  /// Returns the address of a host. Waits for the system's resolver.
  ///
  /// - Throws: an error if the name does not resolve.
  var address: @Sendable (_ host: String) throws -> String
  /// Inspects a database without changing it; `nil` if the file does not exist.
  ///
  /// - Throws: `SQLiteStoreError` or `SQLiteError`.
  var database: @Sendable (_ path: String) throws -> Database?
}
