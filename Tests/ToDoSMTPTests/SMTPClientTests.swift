#if Nominatim
import NIOCore
import NIOEmbedded
import NIOSSL
import Testing
import ToDoModel
import ToDoTestCertificates
import ToDoTestSMTP
import ToDoTestSupport

@testable import ToDoSMTP

/// Messages to a real server on the loopback interface.
@Suite(.timeLimited, .blocking) struct SMTPClientTests {
  private let message = SMTPMessage(from: .todo, to: .ann, text: "Subject: Milk\r\n\r\n.dot\r\n")
  private static let credentials = SMTPServer.Credentials(name: "todo", password: "secret")

  private func client(
    _ server: LocalSMTPServer, _ security: SMTPServer.Security, host: String = "127.0.0.1",
    trusting authority: String? = nil,
    credentials: SMTPServer.Credentials? = nil
  ) throws -> SMTPClient {
    try SMTPClient(
      SMTPServer(host: host, port: server.port, security: security), credentials: credentials,
      trustRoots: authority.map { .file($0) } ?? .default)
  }

  @Test func message_overStartTLS_isEncryptedWithItsPassword() async throws {
    try await withTemporaryDirectory { directory in
      let authority = try TestCertificates(in: directory)
      try await LocalSMTPServer.with(certificate: try authority.server()) { server async throws in
        for host in ["localhost", "127.0.0.1"] {
          let client = try client(
            server, .startTLS, host: host, trusting: authority.authority, credentials: Self.credentials)
          #expect(try await client.send(message) == .accepted)
        }
        let expected = LocalSMTPServer.Message(
          sender: "<reminders@todo.example>", recipient: "<ann@example.org>", credentials: ["todo", "secret"],
          text: "Subject: Milk\r\n\r\n.dot\r\n", isEncrypted: true)
        #expect(server.messages == [expected, expected])
        #expect(server.commands.prefix(3) == ["EHLO todo.example", "STARTTLS", "EHLO todo.example"])
        await server.waitForCommand("QUIT")
      }
    }
  }

  @Test func message_overImplicitTLS_isEncrypted() async throws {
    try await withTemporaryDirectory { directory in
      let authority = try TestCertificates(in: directory)
      var behavior = LocalSMTPServer.Behavior()
      behavior.isEncrypted = true
      try await LocalSMTPServer.with(behavior, certificate: try authority.server()) { server async throws in
        let client = try client(server, .implicitTLS, trusting: authority.authority)
        #expect(try await client.send(message) == .accepted)
        #expect(server.messages.map(\.isEncrypted) == [true])
        #expect(!server.commands.contains("STARTTLS"))
      }
    }
  }

  @Test func message_toThisMachine_needsNoEncryption() async throws {
    try await LocalSMTPServer.with { server async throws in
      #expect(try await client(server, .loopbackOnly, credentials: Self.credentials).send(message) == .accepted)
      #expect(server.messages.map(\.credentials) == [["todo", "secret"]])
    }
  }

  @Test func certificate_thatIsNotTrusted_getsNeitherPasswordNorMessage() async throws {
    try await withTemporaryDirectory { directory in
      let (authority, other) = (try TestCertificates(in: directory), try TestCertificates(in: directory))
      let expired = try authority.server(offset: -2 * TestCertificates.validity - 3600)
      for certificate in [try other.server(), try authority.client("ann"), expired] {
        try await LocalSMTPServer.with(certificate: certificate) { server async throws in
          let client = try client(
            server, .startTLS, host: "localhost", trusting: authority.authority, credentials: Self.credentials)
          guard case .failed(let reason) = try await client.send(message) else {
            Issue.record("the message was sent")
            return
          }
          #expect(
            [
              "the TLS handshake failed; the certificate may not be trusted",
              "the server's certificate is for another host",
            ].contains(reason))
          #expect(server.commands == ["EHLO todo.example", "STARTTLS"])
          #expect(server.messages.isEmpty)
        }
      }
    }
  }

  @Test func bytesBehindStartTLS_areNotRead() async throws {
    try await withTemporaryDirectory { directory in
      let authority = try TestCertificates(in: directory)
      var behavior = LocalSMTPServer.Behavior()
      behavior.afterStartTLS = "250-localhost\r\n250 AUTH PLAIN\r\n"
      try await LocalSMTPServer.with(behavior, certificate: try authority.server()) { server async throws in
        let client = try client(server, .startTLS, trusting: authority.authority, credentials: Self.credentials)
        let reason = "the mail server sent more than its reply to STARTTLS before encryption began"
        #expect(try await client.send(message) == .failed(reason))
        #expect(server.commands == ["EHLO todo.example", "STARTTLS"])
      }
    }
  }

  @Test func serverWithoutStartTLS_getsNothing() async throws {
    var behavior = LocalSMTPServer.Behavior()
    behavior.extensions = ["AUTH PLAIN"]
    try await LocalSMTPServer.with(behavior) { server async throws in
      let reason = "the mail server does not offer STARTTLS, and nothing is sent without encryption"
      #expect(try await client(server, .startTLS, credentials: Self.credentials).send(message) == .failed(reason))
      await server.waitForCommand("QUIT")
      #expect(server.commands == ["EHLO todo.example", "QUIT"])
    }
  }

  @Test(arguments: [
    ("RCPT", "550 5.1.1 no such user\r\n", SMTPOutcome.refused("the mail server answered RCPT TO with 550 5.1.1")),
    ("RCPT", "450 4.2.1 later\r\n", .failed("the mail server answered RCPT TO with 450 4.2.1")),
    ("TEXT", "554 spam\r\n", .refused("the mail server answered the message with 554")),
    ("AUTH", "535 5.7.8 no\r\n", .failed("the mail server answered AUTH with 535 5.7.8")),
    ("GREETING", "HTTP/1.1 400 Bad Request\r\n", .failed("the mail server's reply is not SMTP")),
  ])
  func reply_decidesOutcome(_ verb: String, _ reply: String, _ outcome: SMTPOutcome) async throws {
    var behavior = LocalSMTPServer.Behavior()
    behavior.replies = [verb: reply]
    try await LocalSMTPServer.with(behavior) { server async throws in
      #expect(try await client(server, .loopbackOnly, credentials: Self.credentials).send(message) == outcome)
      #expect(server.messages.isEmpty)
    }
  }

  @Test(arguments: ["EHLO", "TEXT"]) func connection_thatEndsEarly_isAFailure(_ verb: String) async throws {
    var behavior = LocalSMTPServer.Behavior()
    behavior.end = verb
    try await LocalSMTPServer.with(behavior) { server async throws in
      let outcome = try await client(server, .loopbackOnly).send(message)
      #expect(outcome == .failed("the mail server closed the connection early"))
    }
  }

  @Test func serverThatCannotBeReached_isAFailure() async throws {
    let client = try SMTPClient(SMTPServer(host: "127.0.0.1", port: 1, security: .loopbackOnly))
    #expect(try await client.send(message) == .failed("Connection refused"))
  }

  @Test func cancellation_closesTheConnection() async throws {
    var behavior = LocalSMTPServer.Behavior()
    behavior.replies = ["EHLO": ""]
    try await LocalSMTPServer.with(behavior) { server async throws in
      let (client, message) = (try client(server, .loopbackOnly), message)
      let task = Task { try await client.send(message) }
      await server.waitForCommand("EHLO todo.example")
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  // MARK: A channel without a network

  private func connection(
    _ security: SMTPServer.Security = .loopbackOnly
  ) throws -> (EmbeddedChannel, EventLoopFuture<SMTPOutcome>) {
    let channel = EmbeddedChannel()
    let promise = channel.eventLoop.makePromise(of: SMTPOutcome.self)
    let exchange = SMTPExchange(message, security: security)
    try channel.pipeline.syncOperations.addHandler(LoopbackCheck())
    try channel.pipeline.syncOperations.addHandler(
      SMTPConnection(exchange, limit: .seconds(10), promise) { throw ChannelError.inappropriateOperationForState })
    return (channel, promise.futureResult)
  }

  @Test func step_thatTakesLongerThanTheLimit_endsTheConnection() throws {
    let (channel, outcome) = try connection()
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 25), promise: nil)
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    try channel.writeInbound(ByteBuffer(string: "220 hello\r\n"))
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
    #expect(try outcome.wait() == .failed("the mail server did not respond in time"))
  }

  @Test(arguments: ["192.0.2.1", "::2", "128.0.0.1"])
  func unencryptedConnection_thatLeavesThisMachine_isClosedFirst(_ address: String) throws {
    let (channel, outcome) = try connection()
    channel.connect(to: try SocketAddress(ipAddress: address, port: 25), promise: nil)
    #expect(try outcome.wait() == .failed("the mail server is not on this machine"))
    #expect(!channel.isActive)
    #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
  }
}
#endif
