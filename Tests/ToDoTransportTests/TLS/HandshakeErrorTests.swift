#if TLS
import NIOCore
import NIOPosix
import ToDoRPC
import ToDoTTRPCTransport
import ToDoTestCertificates
import ToDoTestServers
import ToDoTestSupport
import Testing

@testable import ToDoTransport

/// The error of a client for each reason why a TLS handshake fails.
@Suite(.timeLimited) struct HandshakeErrorTests {
  private let methods = TestMethods()

  /// Returns the error of connecting to an endpoint with TLS.
  private func error(_ endpoint: Endpoint, trusting authority: String? = nil) async throws -> RPCError {
    let port = try #require(endpoint.port)
    let tls = Endpoint.tls(host: "localhost", port: port)
    var configuration = ClientConfiguration()
    configuration.tls.authorities = authority
    let error = await #expect(throws: RPCError.self) {
      let channel = try await ClientChannel.connect(
        to: tls, configuration: configuration, on: MultiThreadedEventLoopGroup.singleton
      ) { _ in }
      try await channel.close()
    }
    let thrown = try #require(error)
    #expect(thrown.isUnsent)
    #expect(thrown.message.hasPrefix("tls://localhost:\(port) "))
    return thrown
  }

  private func expectUntrusted(_ error: RPCError, _ reason: String, _ location: SourceLocation = #_sourceLocation) {
    #expect(error.reason == "SERVER_NOT_TRUSTED", sourceLocation: location)
    #expect(error.message.hasSuffix(" is not trusted: \(reason)"), "\(error.message)", sourceLocation: location)
  }

  private func expectClosed(_ error: RPCError, _ location: SourceLocation = #_sourceLocation) {
    let reason = " cannot be reached: it closed the connection during the TLS handshake; it may not speak TLS"
    #expect(error.code == .unavailable, sourceLocation: location)
    #expect(error.message.hasSuffix(reason), "\(error.message)", sourceLocation: location)
  }

  /// Runs a server with a certificate.
  private func withServer(
    _ files: (TestCertificates) throws -> TestCertificates.Files,
    _ body: (TestServer, TestCertificates) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try TestCertificates(in: directory)
      let tls = try ServerTLS(ServerTLS.Files(try files(certificates)))
      try await TestServer.with(methods.table, at: .tls(host: "localhost", port: 0), tls: tls) { server in
        try await body(server, certificates)
      }
    }
  }

  /// Runs a server that sends the bytes to each client, and closes the connection.
  private func withServer(sending bytes: [UInt8], _ body: (Endpoint) async throws -> Void) async throws {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(FixedResponse(bytes))
        }
      }
      .bind(host: "localhost", port: 0).get()
    do { try await body(.tcp(host: "localhost", port: listener.localAddress?.port ?? 0)) } catch {
      try await listener.close()
      throw error
    }
    try await listener.close()
  }

  // MARK: Certificates

  @Test func connect_whenAuthorityIsUnknown_fails() async throws {
    try await withServer({ try $0.server() }) { server, certificates in
      try await withTemporaryDirectory { directory in
        let other = try TestCertificates(in: directory, named: "Another authority")
        for authority in [nil, other.authority] {
          expectUntrusted(
            try await error(server.endpoint, trusting: authority),
            "its certificate does not chain to a trusted CA that is valid now")
        }
      }
    }
  }

  @Test(arguments: [(-86400, "its certificate has expired"), (86400, "its certificate is not valid yet")])
  func connect_whenCertificateIsNotValidNow_fails(_ offset: Int, _ reason: String) async throws {
    try await withServer({ try $0.server(offset: offset) }) { server, certificates in
      expectUntrusted(try await error(server.endpoint, trusting: certificates.authority), reason)
    }
  }

  @Test func connect_whenCertificateNamesAnotherHost_fails() async throws {
    try await withServer({ try $0.client("elsewhere") }) { server, certificates in
      expectUntrusted(
        try await error(server.endpoint, trusting: certificates.authority), "its certificate is for another host")
    }
  }

  // MARK: Servers without TLS

  @Test func connect_whenServerSpeaksPlainTTRPC_isUnavailable() async throws {
    try await TestServer.with(methods.table, at: .tcp(host: "localhost", port: 0)) { server in
      expectClosed(try await error(server.endpoint))
    }
  }

  @Test(arguments: [Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [22, 2, 0, 0, 0, 0, 0]] as [[UInt8]])
  func connect_whenServerSpeaksAnotherProtocol_fails(_ bytes: [UInt8]) async throws {
    try await withServer(sending: bytes) { expectUntrusted(try await error($0), "it does not speak TLS") }
  }

  // MARK: Other ends

  @Test func connect_whenServerSendsAlert_fails() async throws {
    try await withServer(sending: [21, 3, 3, 0, 2, 2, 120]) {
      expectUntrusted(try await error($0), "it rejected the TLS handshake")
    }
  }

  @Test func connect_whenServerClosesConnection_isUnavailable() async throws {
    try await withServer(sending: []) { endpoint in
      expectClosed(try await error(endpoint))
    }
  }

  @Test func connect_whenServerSendsInvalidHandshake_fails() async throws {
    try await withServer(sending: [22, 3, 3, 0, 4, 9, 0, 0, 0]) {
      expectUntrusted(try await error($0), "the TLS handshake failed")
    }
  }

  // MARK: Records

  @Test(arguments: [1, 2, 5, 6, 100]) func records_whenReadInParts_areTheSame(_ size: Int) {
    let bytes: [UInt8] = [22, 3, 3, 0, 3, 21, 21, 21, 23, 3, 3, 0, 0, 21, 3, 1, 0, 2, 2, 120]
    var records = ServerRecords()
    for start in stride(from: 0, to: bytes.count, by: size) {
      // The alert's record starts at the thirteenth byte, and its header ends at the eighteenth.
      #expect(records.haveAlert == (start >= 18))
      records.read(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]).readableBytesView)
    }
    #expect(records.areTLS)
    #expect(records.haveAlert)
    records.read(ByteBuffer(bytes: [0]).readableBytesView)
    #expect(!records.areTLS)
  }
}

/// Sends bytes after the first read, and closes the connection.
private final class FixedResponse: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { _ in channel.close(promise: nil) }
  }
}
#endif
