#if TLS && PostgreSQL
import NIOCore
import NIOPosix
import ToDoTestCertificates
import ToDoTestPostgreSQL
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoPostgreSQLStore
import ToDoRules

/// TLS between the store and its database.
@Suite(.timeLimited, .blocking) struct PostgreSQLTLSTests {
  /// Runs a test with a server, the file of its authority and that of another one.
  private func withServer(
    _ body: (_ port: Int, _ authority: String, _ other: String) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try TestCertificates(in: directory)
      let files = try certificates.server()
      for file in [files.certificate, files.key] { PrivatePostgreSQL.own(file) }
      let port = try await freePort()
      let server = try PrivatePostgreSQL(settings: [
        "listen_addresses=127.0.0.1,127.0.0.2", "port=\(port)", "ssl=on", "ssl_cert_file=\(files.certificate)",
        "ssl_key_file=\(files.key)",
      ])
      defer { server.end() }
      try await body(
        port, certificates.authority, try TestCertificates(in: directory, named: "Another authority").authority)
    }
  }

  private func freePort() async throws -> Int {
    let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .bind(host: "127.0.0.1", port: 0).get()
    defer { channel.close(promise: nil) }
    return try #require(channel.localAddress?.port)
  }

  private func uri(_ hosts: String, _ authority: String) -> String {
    "postgresql://postgres@\(hosts)/postgres?sslmode=verify-full&sslrootcert=\(authority)"
  }

  @Test func store_whenServerIsTrusted_connects() async throws {
    try await withServer { port, authority, _ in
      // Nothing listens on the first host.
      let store = try PostgreSQLToDoItemStore(uri: uri("127.0.0.3:\(port),localhost:\(port)", authority))
      #expect(try await store.items(ItemSelection(limit: 1), of: .local).items.isEmpty)
      await store.close()
    }
  }

  @Test func store_whenServerIsNotTrusted_doesNotConnect() async throws {
    try await withServer { port, authority, other in
      for uri in [uri("localhost:\(port)", other), uri("127.0.0.2:\(port)", authority)] {
        let error = #expect(throws: PostgreSQLStoreError.self) { try PostgreSQLToDoItemStore(uri: uri) }
        #expect("\(String(describing: error))".contains("certificate"))
      }
    }
  }
}
#endif
