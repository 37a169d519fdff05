#if PostgreSQL
import Foundation
import Glibc
import Synchronization
package import ToDoPostgreSQL

/// A PostgreSQL server of the tests, in a temporary directory and with a Unix socket only. Its files are in memory if there is
/// room for them, because it creates thousands. Otherwise, commits are not synced to the disk.
///
/// The server ends with the test's process, also if that is killed. If the tests run as root, the server runs as the
/// user `postgres`, because PostgreSQL does not run as root.
package final class PrivatePostgreSQL: Sendable {
  private let directory: String
  private let watcher: ServerWatcher
  private let databaseCount = Atomic(0)

  private static let shared = Result { try PrivatePostgreSQL() }

  /// Returns the server of this process, and starts it first if necessary.
  ///
  /// - Throws: an error with the server's log if the server cannot be started.
  package static func run() throws -> PrivatePostgreSQL { try shared.get() }

  /// Starts a server, which ends with `end()`, or with the process.
  ///
  /// - Parameter settings: settings of the server, for example `synchronous_standby_names=other`.
  package init(settings: [String] = []) throws {
    directory = try Self.makeDirectory()
    let constant = ["listen_addresses=", "unix_socket_directories=\(directory)", "max_connections=200", "fsync=off"]
    watcher = try ServerWatcher(directory: directory, settings: constant + settings)
  }

  private static func makeDirectory() throws -> String {
    // Short, because the path of a Unix socket is limited to about 100 bytes.
    let parent = hasRoom("/dev/shm") ? "/dev/shm" : "/tmp"
    // mkdtemp replaces the last six characters, and requires these.
    var template = Array("\(parent)/todo-postgresql-XXXXXX".utf8CString)
    guard let path = mkdtemp(&template) else { throw TestServerError(message: "mkdtemp failed: errno \(errno)") }
    let directory = String(cString: path)
    own(directory)
    return directory
  }

  /// Whether the tests can write 4 GiB into a directory.
  private static func hasRoom(_ path: String) -> Bool {
    var statistics = statvfs()
    guard access(path, W_OK) == 0, statvfs(path, &statistics) == 0 else { return false }
    return UInt64(statistics.f_bavail) * UInt64(statistics.f_frsize) >= 4 << 30
  }

  /// Makes the user of the servers the owner of a file or directory.
  package static func own(_ path: String) {
    if getuid() == 0, let user = getpwnam("postgres") { chown(path, user.pointee.pw_uid, user.pointee.pw_gid) }
  }

  /// The directory of the Unix socket: a `host` of a connection text.
  package var host: String { directory }

  /// The process ID of the server, for signals.
  package var processID: Int32? {
    let lines = try? String(contentsOfFile: directory + "/data/postmaster.pid", encoding: .utf8).split(
      separator: "\n")
    return lines?.first.flatMap { Int32($0) }
  }

  /// Stops the server, and waits until its files are removed.
  package func end() { watcher.end() }

  /// Creates an empty database, and returns its connection URI.
  package func makeDatabase() throws -> String {
    let name = "test_\(databaseCount.add(1, ordering: .relaxed).newValue)"
    try connection().execute("CREATE DATABASE \(name)")
    return uri(of: name)
  }

  /// Ends the sessions of a database, and waits until the server has ended them.
  ///
  /// - Parameter uri: the connection URI that `makeDatabase` returned.
  package func terminateConnections(of uri: String) throws {
    let path = uri.split(separator: "?").first ?? ""
    guard let name = path.split(separator: "/").last else {
      throw TestServerError(message: "not a URI of a test database")
    }
    var parameters = Parameters()
    parameters.append(String(name))
    _ = try connection().run(
      "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1", parameters)
  }

  private func uri(of database: String) -> String { "postgresql:///\(database)?host=\(directory)&user=postgres" }

  /// Connects to the database of the administrator.
  package func connection() throws -> PostgreSQLConnection {
    var settings = ConnectionSettings(uri(of: "postgres"))
    settings.connectTimeout = .seconds(60)
    let connection = try PostgreSQLConnection(settings)
    connection.timeout = .seconds(60)
    return connection
  }
}

/// An error of a server of the tests.
package struct TestServerError: Error, CustomStringConvertible {
  let message: String

  package var description: String { message }
}
#endif
