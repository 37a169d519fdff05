#if PostgreSQL
import Dispatch
import Glibc
import Synchronization
import Testing
import ToDoTestSupport
import ToDoPostgreSQL
import ToDoTestPostgreSQL

/// Establishing connections.
@Suite(.blocking) struct ConnectingTests {
  private let server: PrivatePostgreSQL

  init() throws { server = try PrivatePostgreSQL.run() }

  private func settings(hosts: String, ports: String, _ more: String = "") -> ConnectionSettings {
    ConnectionSettings("host=\(hosts) port=\(ports) user=postgres dbname=postgres \(more)")
  }

  @Test func connect_whenFirstHostRefuses_usesSecondHost() throws {
    let settings = settings(hosts: "127.0.0.1,\(server.host)", ports: "1,5432", "target_session_attrs=read-write")
    let connection = try PostgreSQLConnection(settings)
    #expect(try connection.run("SELECT 1").int32(0, 0) == 1)
  }

  @Test func connect_whenFirstHostIsReadOnly_usesSecondHost() throws {
    let standby = try PrivatePostgreSQL(settings: ["default_transaction_read_only=on"])
    defer { standby.end() }
    let hosts = "\(standby.host),\(server.host)"
    let any = try PostgreSQLConnection(settings(hosts: hosts, ports: "5432"))
    #expect(try any.run("SHOW transaction_read_only").text(0, 0) == "on")
    let writer = try PostgreSQLConnection(settings(hosts: hosts, ports: "5432", "target_session_attrs=read-write"))
    #expect(try writer.run("SHOW transaction_read_only").text(0, 0) == "off")
    let failure = #expect(throws: PostgreSQLError.self) {
      try PostgreSQLConnection(settings(hosts: standby.host, ports: "5432", "target_session_attrs=read-write"))
    }
    #expect(failure?.kind == .unavailable)
  }

  @Test func connect_whenFirstHostDoesNotRespond_usesSecondHost() throws {
    let silent = try SilentListener()
    var settings = settings(hosts: "127.0.0.1,\(server.host)", ports: "\(silent.port),5432")
    settings.connectTimeout = .seconds(60)
    let clock = ContinuousClock()
    let start = clock.now
    _ = try PostgreSQLConnection(settings)
    // An attempt that waits for the silent host takes a minute.
    #expect(clock.now - start < .seconds(30))
  }

  /// A frozen primary, and a standby that becomes the primary.
  @Test func connect_whenOneHostDoesNotRespond_triesTheOthersAgain() throws {
    let silent = try SilentListener()
    let folder = "\(server.host)-\(silent.port)"
    var settings = settings(hosts: "\(folder),127.0.0.1", ports: "5432,\(silent.port)")
    settings.connectTimeout = .seconds(60)
    let group = DispatchGroup()
    let value = Mutex<Result<Int32, any Error>?>(nil)
    DispatchQueue.global().async(group: group) { [settings] in
      let result = Result { try PostgreSQLConnection(settings).run("SELECT 1").int32(0, 0) }
      value.withLock { $0 = result }
    }
    // Then the first host has failed.
    silent.waitForConnection()
    #expect(symlink(server.host, folder) == 0)
    defer { unlink(folder) }
    group.wait()
    #expect(try value.withLock(\.self)?.get() == 1)
  }

  @Test func connect_whenNoHostResponds_failsAtTimeout() throws {
    let silent = try SilentListener()
    var settings = settings(hosts: "127.0.0.1", ports: "\(silent.port)")
    settings.connectTimeout = .milliseconds(300)
    let clock = ContinuousClock()
    let start = clock.now
    let failure = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(settings) }
    #expect(failure?.kind == .unavailable)
    #expect(clock.now - start >= .milliseconds(300))
  }

  @Test func connect_whenAllHostsRefuse_reportsEachInOneLine() throws {
    let failure = #expect(throws: PostgreSQLError.self) {
      try PostgreSQLConnection(settings(hosts: "127.0.0.1,/nonexistent", ports: "1"))
    }
    #expect(failure?.kind == .unavailable)
    let message = try #require(failure?.message)
    #expect(message.contains("127.0.0.1") && message.contains("/nonexistent") && !message.contains("\n"))
  }

  @Test func connect_runsSessionStatements() throws {
    var settings = settings(hosts: server.host, ports: "5432")
    settings.applicationName = "test of settings"
    settings.sessionStatements = ["SET enable_seqscan = off", "SET lock_timeout = '7s'"]
    let connection = try PostgreSQLConnection(settings)
    #expect(try connection.run("SHOW enable_seqscan").text(0, 0) == "off")
    #expect(try connection.run("SHOW lock_timeout").text(0, 0) == "7s")
    #expect(try connection.run("SHOW application_name").text(0, 0) == "test of settings")
    #expect(try connection.run("SHOW client_encoding").text(0, 0) == "UTF8")
    settings.sessionStatements = ["SET nonsense = 1"]
    let failure = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(settings) }
    #expect(failure?.state == "42704")
  }

  @Test func release_closesSession() throws {
    let database = try server.makeDatabase()
    let observer = try server.connection()
    var parameters = Parameters()
    do {
      let connection = try PostgreSQLConnection(ConnectionSettings(database))
      parameters.append(connection.backendProcessID)
      _ = try connection.run("SELECT 1")
    }
    var count: Int64 = 1
    for _ in 0..<100_000 where count > 0 {
      count = try observer.run("SELECT count(*) FROM pg_stat_activity WHERE pid = $1", parameters).int64(0, 0)
    }
    #expect(count == 0)
  }
}

/// A TCP socket that accepts connections in the system's backlog, and never responds, like a frozen server.
private final class SilentListener {
  let port: UInt16
  private let descriptor: Int32
  private var accepted: Int32 = -1

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) | listen(descriptor, 8) | getsockname(descriptor, $0, &length)
      }
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
    try #require(result == 0)
  }

  /// Waits for a connection, to which it does not respond.
  func waitForConnection() { accepted = accept(descriptor, nil, nil) }

  deinit {
    close(descriptor)
    if accepted >= 0 { close(accepted) }
  }
}
#endif
