#if HTTP
import NIOCore
import NIOPosix
import Testing
import ToDoHTTPTransport
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestCertificates
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport
import ToDoSupport

@testable import ToDoServer

/// Where HTTP listens, who is let in there, and how it stops. curl is the client.
@Suite(.timeLimited, .blocking) struct HTTPListenerTests {
  private let methods = TestMethods()
  private let health = HealthMonitor(services: [ToDoMethods.service])
  private let service = LocalToDoService(store: MemoryToDoItemStore(), clock: TestClock())

  private static let proto = ["--header", "content-type: application/proto", "--data-binary", "@-"]

  /// The message of a text, whose field has number 1.
  private func message(_ text: String) -> String { "\n\(Character(UnicodeScalar(UInt8(text.utf8.count))))\(text)" }

  // MARK: Listening

  @Test func call_overTCP_returnsResponse() async throws {
    try await HTTPTestServer.with(methods.table) { server async throws in
      let run = try CurlRun(Self.proto + [server.url("test.Texts/Say")], input: message("Milk"))
      #expect(run.status == 200 && run.body == message("Milk"))
      #expect(try CurlRun([server.url("test.Texts/Nothing")]).status == 404)
    }
  }

  @Test func call_whenLarge_isAskedFor() async throws {
    try await HTTPTestServer.with(methods.table) { server async throws in
      let text = String(repeating: "x", count: 2 << 20)
      // A field of 2 MiB: its number, and its length in four bytes.
      let run = try CurlRun(
        Self.proto + ["--header", "expect: 100-continue", server.url("test.Texts/Nothing")], input: text)
      #expect(run.status == 404 && !run.output.contains("100 Continue"))
    }
  }

  @Test func call_overHTTP2_returnsResponse() async throws {
    try await HTTPTestServer.with(methods.table) { server async throws in
      let h2 = Self.proto + ["--http2-prior-knowledge"]
      let run = try CurlRun(h2 + [server.url("test.Texts/Say")], input: message("Milk"))
      #expect(run.output.hasPrefix("HTTP/2 200") && run.body == message("Milk"))
    }
  }

  /// Tools that ask for the schema need no other port.
  @Test func reflection_overGRPC_describesServices() async throws {
    let reflection = MethodName(service: "grpc.reflection.v1.ServerReflection", method: "ServerReflectionInfo")
    try await HTTPTestServer.with(methods.table) { server async throws in
      try await GRPCTestClient.with(server.endpoint) { client async throws in
        // The names of all services.
        let response = try await client.call(reflection, ProtobufBytes().field(7, "").bytes)
        #expect(String(decoding: response, as: UTF8.self).contains("test.Texts"))
      }
      // A method of another protocol would reject GET with another status.
      #expect(try CurlRun(["--http2-prior-knowledge", server.url("\(reflection)")]).status == 404)
    }
  }

  @Test func call_overHTTP2_andUnixSocket_returnsResponse() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/todo-http.sock"
      try await HTTPTestServer.with(methods.table, at: .unix(path: path)) { _ async throws in
        let run = try CurlRun(
          Self.proto + ["--http2-prior-knowledge", "--unix-socket", path, "http://x/test.Texts/Say"],
          input: message("a"))
        #expect(run.output.hasPrefix("HTTP/2 200") && run.body == message("a"))
      }
    }
  }

  @Test func call_overUnixSocket_returnsResponse() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/todo-http.sock"
      try await HTTPTestServer.with(methods.table, at: .unix(path: path)) { _ async throws in
        let run = try CurlRun(Self.proto + ["--unix-socket", path, "http://x/test.Texts/Say"], input: message("a"))
        #expect(run.status == 200 && run.body == message("a"))
      }
      #expect(try CurlRun(["--unix-socket", path, "http://localhost/"]).exitStatus == 7)
    }
  }

  #if TLS
  @Test func call_overTLS_returnsResponse() async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try TestCertificates(in: directory)
      let tls = try ServerTLS(ServerTLS.Files(try certificates.server()))
      try await HTTPTestServer.with(methods.table, at: .tls(host: "localhost", port: 0), tls: tls) {
        server async throws in
        let port = try #require(server.endpoint.port)
        for (version, line) in [
          ("--http1.1", "HTTP/1.1 200"), ("--http2", "HTTP/2 200"), ("--no-alpn", "HTTP/1.1 200"),
        ] {
          let run = try CurlRun(
            Self.proto + [version, "--cacert", certificates.authority, "https://localhost:\(port)/test.Texts/Say"],
            input: message("a"))
          #expect(run.output.hasPrefix(line) && run.body == message("a"))
        }
      }
    }
  }
  #endif

  @Test func serve_whenEndpointIsInUse_namesEndpoint() async throws {
    try await HTTPTestServer.with(methods.table) { server in
      let error = await #expect(throws: EndpointError.self) {
        try await HTTPTestServer.with(methods.table, at: server.endpoint) { _ in }
      }
      #expect(error?.endpoint == server.endpoint)
    }
  }

  @Test func serve_whenTLSHasNoCertificate_fails() async {
    await #expect(throws: EndpointError.self) {
      try await HTTPTestServer.with(methods.table, at: .tls(host: "localhost", port: 0)) { _ in }
    }
  }

  // MARK: Access

  @Test func everyMethod_withoutValidToken_isUnauthenticated() async throws {
    let accounts = MemoryAccountStore()
    try await accounts.addUser(.sample("ann"))
    let (token, revoked) = (BearerToken(), BearerToken())
    for token in [token, revoked] {
      try await accounts.addToken(
        AccessToken(
          id: token.id, user: .sample("ann"), secretHash: token.secretHash, isReadOnly: false,
          createdAt: TestClock().now(), expiresAt: nil))
    }
    try await accounts.revokeToken(revoked.id)
    let access = AccountAccess(accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: [])) { _ in
      service
    }
    let table = MethodTable(serving: access, health: health)
    var limits = ServerLimits.patient
    limits.requiresAuthentication = true
    let open = Set([HealthMethods.check.name, HealthMethods.watch.name])
    try await HTTPTestServer.with(table, limits: limits) { server async throws in
      let methods = table.methods.filter { !$0.actsOnConnection && !open.contains($0.name) }
      #expect(methods.count > 20)
      for method in methods {
        var isStreaming = false
        if case .streaming = method.body { isStreaming = true }
        let arguments = [
          "--header", "content-type: application/\(isStreaming ? "connect+" : "")proto", "--data-binary", "@-",
          server.url("\(method.name)"),
        ]
        for header in ["x: y", "authorization: Bearer nonsense", "authorization: Bearer \(revoked)"] {
          let run = try CurlRun(["--header", header] + arguments, input: isStreaming ? "\0\0\0\0\0" : "")
          // After some attempts, further ones from the address have to wait.
          let codes = [#""code":"unauthenticated""#, #""code":"resource_exhausted""#]
          #expect(codes.contains { run.body.contains($0) }, "\(method.name)")
          #expect((isStreaming ? [200] : [401, 429]).contains(run.status), "\(method.name)")
        }
      }
      let info = Self.proto + [server.url("\(ToDoMethods.getServerInfo.name)")]
      #expect(try CurlRun(["--header", "authorization: Bearer \(token)"] + info).status == 200)
      // A proxy sends the calls of several callers over one connection. The second one has no credentials.
      let both = try CurlRun(
        ["--header", "authorization: Bearer \(token)"] + info
          + ["--next", "--include", "--header", "content-type: application/proto", "--header", "expect: 100-continue"]
          + ["--data-binary", "a", server.url("\(ToDoMethods.listItems.name)")])
      #expect(both.output.contains("200 OK"))
      #expect(["unauthenticated", "resource_exhausted"].contains { both.body.contains($0) })
      #expect(!both.output.contains("100 Continue"))
      #expect(try CurlRun([server.url("healthz")]).body == "serving\n")
    }
  }

  #if TLS
  @Test func clientCertificate_whenTrusted_authenticatesItsUser() async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try TestCertificates(in: directory)
      var files = ServerTLS.Files(try certificates.server())
      files.clientAuthorities = certificates.authority
      let accounts = MemoryAccountStore()
      try await accounts.addUser(.sample("ann", certificate: "CN=ann"))
      let policy = AccessPolicy(anonymousList: nil, unixUsers: [])
      let access = AccountAccess(accounts: accounts, policy: policy) { _ in service }
      let table = MethodTable(serving: access, health: health)
      try await HTTPTestServer.with(table, at: .tls(host: "localhost", port: 0), tls: try ServerTLS(files)) {
        server async throws in
        let port = try #require(server.endpoint.port)
        let call =
          Self.proto + [
            "--cacert", certificates.authority, "https://localhost:\(port)/\(ToDoMethods.getServerInfo.name)",
          ]
        for (name, status) in [("ann", 200), ("eve", 401)] {
          let identity = try certificates.client(name)
          let arguments = ["--cert", identity.certificate, "--key", identity.key] + call
          #expect(try CurlRun(arguments + ["--http1.1"]).status == status)
          #expect(try CurlRun(arguments + ["--http2"]).status == status)
        }
        #expect(try CurlRun(call).status == 401)
      }
    }
  }
  #endif

  // MARK: The end of calls

  /// Connects, and sends a call of a streaming method, without reading its responses.
  private func call(_ method: String, _ text: String, _ server: HTTPTestServer) async throws -> any Channel {
    let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: false)
      .connect(host: "127.0.0.1", port: try #require(server.endpoint.port)).get()
    let message = message(text)
    let body = "\0\0\0\0\(Character(UnicodeScalar(UInt8(message.utf8.count))))\(message)"
    let headers = ["Host: localhost", "Content-Type: application/connect+proto", "Content-Length: \(body.utf8.count)"]
    try await client.writeAndFlush(ByteBuffer(string: .request("POST /test.Texts/\(method) HTTP/1.1", headers, body)))
    return client
  }

  @Test func stream_whenClientDoesNotRead_isCancelled() async throws {
    var limits = ServerLimits.patient
    limits.writeStallTime = .milliseconds(200)
    try await HTTPTestServer.with(methods.table, limits: limits) { server async throws in
      let client = try await call("Flood", "100000", server)
      try await methods.journal.wait(for: "cancelled 100000")
      try await client.close()
    }
  }

  @Test func stream_whenClientDisconnects_isCancelled() async throws {
    try await HTTPTestServer.with(methods.table) { server async throws in
      let client = try await call("CountAndHold", "2", server)
      try await methods.journal.wait(for: "started 2")
      try await client.close()
      try await methods.journal.wait(for: "cancelled 2")
    }
  }

  // MARK: Shutdown

  private func run(_ arguments: [String], input: String) async throws -> CurlRun {
    try CurlRun(arguments, input: input)
  }

  @Test func shutDown_whenCallIsInFlight_waitsForResponse() async throws {
    try await HTTPTestServer.with(methods.table) { server async throws in
      let url = server.url("test.Texts/Hold")
      async let held = run(Self.proto + [url], input: message("a"))
      try await methods.journal.wait(for: "started a")
      async let shutDown: Void = server.listener.shutDown(grace: .seconds(3600))
      methods.gate.open()
      #expect(try await held.status == 200)
      await shutDown
    }
  }
}
#endif
