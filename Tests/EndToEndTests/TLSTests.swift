#if TLS
import Foundation
import Logging
import NIOPosix
import ToDoRPC
import ToDoTestCertificates
import ToDoTestServers
import ToDoTestSupport
import Testing
import ToDoClient
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTransport

@testable import ToDoServer

/// TLS from end to end, with certificates made for the test.
@Suite(.timeLimited) struct TLSTests {
  private let service = LocalToDoService(store: MemoryToDoItemStore(), clock: TestClock())

  private func with(
    _ tls: ServerTLS, _ access: (any AccessControl)? = nil, _ body: (TestServer) async throws -> Void
  ) async throws {
    let health = HealthMonitor(services: [])
    let methods = MethodTable(serving: access ?? OpenAccess(to: service), health: health)
    try await TestServer.with(methods, health: health, at: .tls(host: "localhost", port: 0), tls: tls, body)
  }

  private func info(_ endpoint: Endpoint, _ tls: ClientTLS) async throws -> ServiceInfo {
    var configuration = TestClient.configuration()
    configuration.tls = tls
    let client = ToDoClient(endpoint: endpoint, configuration: configuration)
    do {
      let info = try await client.info()
      await client.close()
      return info
    } catch {
      await client.close()
      throw error
    }
  }

  @Test func connect_whenServerIsTrusted_succeedsByNameAndAddress() async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try TestCertificates(in: directory)
      try await with(try ServerTLS(ServerTLS.Files(certificates.server()))) { server in
        for host in ["localhost", "127.0.0.1"] {
          let endpoint = Endpoint.tls(host: host, port: try #require(server.endpoint.port))
          _ = try await info(endpoint, ClientTLS(authorities: certificates.authority))
        }
      }
    }
  }

  @Test func clientCertificate_whenTrusted_authenticatesItsUser() async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try TestCertificates(in: directory)
      var files = ServerTLS.Files(try certificates.server())
      files.clientAuthorities = certificates.authority
      let accounts = MemoryAccountStore()
      try await accounts.addUser(.sample("ann", certificate: "CN=ann"))
      let policy = AccessPolicy(anonymousList: nil, unixUsers: [])
      let access = AccountAccess(accounts: accounts, policy: policy) { _ in service }
      let others = try TestCertificates(in: directory, named: "Another authority")
      try await with(try ServerTLS(files), access) { server in
        var tls = ClientTLS(
          authorities: certificates.authority, identity: ClientTLS.Identity(try certificates.client("ann")))
        _ = try await info(server.endpoint, tls)
        for unknown in [ClientTLS.Identity(try certificates.client("eve")), nil] {
          tls.identity = unknown
          await #expect(throws: ToDoError.unauthenticated) { try await info(server.endpoint, tls) }
        }
        // No trusted authority signed this certificate for Ann.
        tls.identity = ClientTLS.Identity(try others.client("ann"))
        await #expect(throws: (any Error).self) { try await info(server.endpoint, tls) }
      }
    }
  }

  @Test func clientCertificate_whenExpired_isRejectedOnOpenConnection() async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try TestCertificates(in: directory)
      var files = ServerTLS.Files(try certificates.server())
      files.clientAuthorities = certificates.authority
      let (accounts, clock) = (MemoryAccountStore(), TestClock(SystemWallClock().now()))
      try await accounts.addUser(.sample("ann", certificate: "CN=ann"))
      let policy = AccessPolicy(anonymousList: nil, unixUsers: [])
      let access = AccountAccess(accounts: accounts, policy: policy, clock: clock) { _ in service }
      try await with(try ServerTLS(files), access) { server in
        var configuration = TestClient.configuration()
        configuration.tls = ClientTLS(
          authorities: certificates.authority, identity: ClientTLS.Identity(try certificates.client("ann")))
        let client = ToDoClient(endpoint: server.endpoint, configuration: configuration)
        _ = try await client.info()
        clock.advance(by: .seconds(TestCertificates.validity + 60))
        await #expect(throws: ToDoError.unauthenticated) { try await client.info() }
        await client.close()
      }
    }
  }

  @Test func certificate_whenReloaded_isUsedForNewConnections() async throws {
    try await withTemporaryDirectory { directory in
      let (old, new) = (try TestCertificates(in: directory), try TestCertificates(in: directory, named: "New"))
      let files = ServerTLS.Files(try old.server())
      let tls = try ServerTLS(files)
      try await with(tls) { server in
        var configuration = TestClient.configuration()
        configuration.tls.authorities = old.authority
        let client = ToDoClient(endpoint: server.endpoint, configuration: configuration)
        _ = try await client.info()
        let next = try new.server()
        for (source, target) in [(next.certificate, files.certificate), (next.key, files.key)] {
          try Data(contentsOf: URL(filePath: source)).write(to: URL(filePath: target))
        }
        try tls.reload()
        _ = try await client.info()
        await client.close()
        _ = try await info(server.endpoint, ClientTLS(authorities: new.authority))
        await #expect(throws: RPCError.self) {
          try await info(server.endpoint, ClientTLS(authorities: old.authority))
        }
        // A damaged file changes nothing.
        try "nonsense".write(toFile: files.certificate, atomically: true, encoding: .utf8)
        #expect(throws: TLSFileError.self) { try tls.reload() }
        _ = try await info(server.endpoint, ClientTLS(authorities: new.authority))
      }
    }
  }

  @Test func certificateFiles_whenUnusable_areNamed() async throws {
    try await withTemporaryDirectory { directory in
      let files = ServerTLS.Files(try TestCertificates(in: directory).server())
      let other = try TestCertificates(in: directory).server()
      let missing = ServerTLS.Files(certificate: "\(directory)/none", key: files.key)
      #expect(throws: TLSFileError.self) { try ServerTLS(missing) }
      #expect(throws: TLSFileError.self) {
        try ServerTLS(ServerTLS.Files(certificate: files.certificate, key: other.key))
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: files.key)
      let error = #expect(throws: TLSFileError.self) { try ServerTLS(files) }
      #expect(error?.description == "\(files.key): other users can access it; restrict it with 'chmod 600'")
    }
  }
}
#endif
