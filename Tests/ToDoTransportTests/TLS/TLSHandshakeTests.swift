#if TLS
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import ToDoTestCertificates
import ToDoTestServers
import ToDoTestSupport
import Testing
import ToDoTransport

/// The handshakes that a server accepts.
@Suite(.timeLimited) struct TLSHandshakeTests {
  private let methods = TestMethods()

  /// The outcome of a handshake: the negotiated protocol, or the failure.
  private func handshake(
    with server: TestServer, trusting authority: String, _ change: (inout TLSConfiguration) -> Void
  ) async throws -> Result<String?, any Error> {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authority))
    change(&configuration)
    let context = try NIOSSLContext(configuration: configuration)
    let done = Deadline.promise(of: String?.self, for: "a handshake")
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            NIOSSLClientHandler(context: context, serverHostname: "localhost"), HandshakeReader(done))
        }
      }
      .connect(host: "localhost", port: try #require(server.endpoint.port)).get()
    let result: Result<String?, any Error>
    do { result = .success(try await done.futureResult.get()) } catch { result = .failure(error) }
    try? await channel.close()
    return result
  }

  private func withServer(
    usingRSA: Bool = false, _ body: (TestServer, String) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try TestCertificates(in: directory)
      let tls = try ServerTLS(ServerTLS.Files(try certificates.server(usingRSA: usingRSA)))
      try await TestServer.with(methods.table, at: .tls(host: "localhost", port: 0), tls: tls) { server in
        try await body(server, certificates.authority)
      }
    }
  }

  // MARK: Application protocols

  @Test(arguments: [(["ttrpc"], "ttrpc"), (["h2", "ttrpc"], "ttrpc"), ([], nil)] as [([String], String?)])
  func handshake_whenClientOffersProtocolOrNone_succeeds(_ offer: [String], _ agreed: String?) async throws {
    try await withServer { server, authority async throws in
      let result = try await handshake(with: server, trusting: authority) { $0.applicationProtocols = offer }
      #expect(try result.get() == agreed)
    }
  }

  @Test(arguments: [nil, .tlsv12] as [TLSVersion?])
  func handshake_whenNoProtocolIsCommon_fails(_ version: TLSVersion?) async throws {
    try await withServer { server, authority async throws in
      let result = try await handshake(with: server, trusting: authority) {
        $0.applicationProtocols = ["h2", "http/1.1"]
        $0.maximumTLSVersion = version
      }
      #expect(throws: (any Error).self) { try result.get() }
      #expect("\(result)".contains("NO_APPLICATION_PROTOCOL"))
    }
  }

  // MARK: Suites of TLS 1.2

  private static let strong: [NIOTLSCipher] = [
    .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
  ]
  private static let weak: [NIOTLSCipher] = [
    .TLS_RSA_WITH_AES_128_GCM_SHA256, .TLS_RSA_WITH_AES_256_GCM_SHA384, .TLS_RSA_WITH_AES_128_CBC_SHA,
    .TLS_RSA_WITH_AES_256_CBC_SHA, .TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA,
  ]

  @Test func handshake_whenSuiteIsWeak_fails() async throws {
    try await withServer(usingRSA: true) { server, authority async throws in
      for suite in Self.strong + Self.weak {
        let result = try await handshake(with: server, trusting: authority) {
          $0.maximumTLSVersion = .tlsv12
          $0.cipherSuiteValues = [suite]
        }
        let isAccepted = if case .success = result { true } else { false }
        #expect(isAccepted == Self.strong.contains(suite), "\(suite) \(result)")
      }
    }
  }

  @Test func handshake_whenVersionPrecedesTLS12_fails() async throws {
    try await withServer { server, authority async throws in
      let result = try await handshake(with: server, trusting: authority) {
        $0.minimumTLSVersion = .tlsv1
        $0.maximumTLSVersion = .tlsv11
      }
      #expect(throws: (any Error).self) { try result.get() }
    }
  }
}

/// Reports the outcome of a handshake.
private final class HandshakeReader: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let done: EventLoopPromise<String?>

  init(_ done: EventLoopPromise<String?>) {
    self.done = done
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted(let name)? = event as? TLSUserEvent { done.succeed(name) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { done.fail(error) }

  func channelInactive(context: ChannelHandlerContext) {
    done.fail(ChannelError.eof)
    context.fireChannelInactive()
  }
}
#endif
