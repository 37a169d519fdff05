#if HTTP
import NIOCore
import NIOEmbedded
import Testing
import ToDoProtobuf
import ToDoRPC
import ToDoTestSupport
import ToDoTransport
import ToDoSupport

@testable import ToDoHTTPTransport

/// Calls with the Connect protocol.
@Suite(.timeLimited) struct ConnectCallTests {
  private func failing(_ error: RPCError) -> ServerMethod {
    .unary(MethodName(service: "test.Texts", method: "Fail")) { _, _, _ in throw error }
  }

  // MARK: Unary calls

  @Test func unaryCall_returnsResponseInItsFormat() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(.call(body: "\n\u{1}a"))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(sent.contains("content-type: application/proto\r\n") && sent.contains("content-length: 3\r\n"))
    #expect(sent.hasSuffix("\r\n\r\n\n\u{1}a"))
  }

  @Test func unaryCall_whenItFails_returnsErrorWithDetails() throws {
    let error = RPCError(
      .notFound, reason: "NONE", domain: "test", "no \"π\"\n",
      violations: [RPCError.Violation(field: "a", reason: "b")])
    let connection = try EmbeddedHTTPConnection(to: [failing(error)])
    connection.receive(.call("Fail"))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 404 Not Found\r\n") && sent.contains("content-type: application/json\r\n"))
    #expect(
      sent.hasSuffix(
        #"{"code":"not_found","message":"no \"π\"\u000a","details":["#
          + #"{"type":"google.rpc.ErrorInfo","value":"CgROT05FEgR0ZXN0"},"#
          + #"{"type":"google.rpc.BadRequest","value":"CgYKAWESAWI"}]}"#))
    #expect(connection.isOpen)
  }

  @Test(arguments: [
    (StatusCode.cancelled, 499, "canceled"), (.unknown, 500, "unknown"), (.invalidArgument, 400, "invalid_argument"),
    (.deadlineExceeded, 504, "deadline_exceeded"), (.notFound, 404, "not_found"),
    (.alreadyExists, 409, "already_exists"),
    (.permissionDenied, 403, "permission_denied"), (.resourceExhausted, 429, "resource_exhausted"),
    (.failedPrecondition, 400, "failed_precondition"), (.aborted, 409, "aborted"), (.outOfRange, 400, "out_of_range"),
    (.unimplemented, 501, "unimplemented"), (.internal, 500, "internal"), (.unavailable, 503, "unavailable"),
    (.dataLoss, 500, "data_loss"), (.unauthenticated, 401, "unauthenticated"), (.ok, 500, "unknown"),
  ])
  func code_hasStatus_andName(_ code: StatusCode, _ status: Int, _ name: String) throws {
    let connection = try EmbeddedHTTPConnection(to: [failing(RPCError(code, reason: "X", ""))])
    connection.receive(.call("Fail"))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 \(status) "))
    #expect(sent.contains(#"{"code":"\#(name)","#))
    #expect(sent.contains("www-authenticate: Bearer\r\n") == (code == .unauthenticated))
  }

  @Test func failure_whenUnexpected_isInternalWithoutDetails() throws {
    struct Breakage: Error {}
    let method = ServerMethod.unary(MethodName(service: "test.Texts", method: "Break")) { _, _, _ in throw Breakage() }
    let connection = try EmbeddedHTTPConnection(to: [method])
    connection.receive(.call("Break"))
    #expect(try connection.sent().contains(#"{"code":"internal","message":"the server failed; see its log"#))
  }

  @Test func metadata_reachesMethod_withoutHeadersOfProtocol() throws {
    let method = ServerMethod.unary(MethodName(service: "test.Texts", method: "Tell")) { _, _, call in
      let pairs = call.metadata.pairs.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      return .ready(OutgoingMessage(encoded: ByteBuffer(string: pairs)))
    }
    let connection = try EmbeddedHTTPConnection(to: [method])
    connection.receive(
      .call(
        "Tell",
        [
          "Authorization: Bearer x", "Connect-Protocol-Version: 1", "Connect-Timeout-Ms: 5", "Accept-Encoding: gzip",
          "Accept: */*", "User-Agent: curl", "Te: trailers", "Content-Encoding: identity", "Sec-Fetch-Mode: cors",
        ]))
    #expect(try connection.sent().hasSuffix("\r\n\r\nauthorization=Bearer x user-agent=curl"))
  }

  @Test(arguments: [
    ("Connect-Timeout-Ms: -1", 400), ("Connect-Timeout-Ms: 12345678901", 400), ("Connect-Timeout-Ms: ", 400),
    ("Connect-Timeout-Ms: 1s", 400), ("Connect-Timeout-Ms: 1\r\nConnect-Timeout-Ms: 1", 400),
    ("Connect-Timeout-Ms: 9999999999", 200), ("Connect-Timeout-Ms: 0", 504), ("Connect-Protocol-Version: 2", 400),
    ("Connect-Protocol-Version: 1", 200),
    ("Content-Encoding: br", 501), ("Content-Encoding: gzip", 400), ("Content-Encoding: identity", 200),
    ("Accept-Encoding: ,,\u{80}", 200),
  ])
  func header_whenUnusual_hasStatus_andConnectionStays(_ header: String, _ status: Int) throws {
    let connection = try EmbeddedHTTPConnection()
    #expect(try connection.status(.call("Say", [header])) == status)
    #expect(try connection.status(.call()) == 200)
  }

  // MARK: Streams

  /// A streaming method's call: a head and a body.
  private func stream(_ method: String, _ body: String, _ headers: [String] = []) -> String {
    .request(
      "POST /test.Texts/\(method) HTTP/1.1",
      ["Host: localhost", "Content-Type: application/connect+proto", "Content-Length: \(body.utf8.count)"] + headers,
      body)
  }

  private let counting: ServerMethod = {
    var method = ServerMethod.streaming(MethodName(service: "test.Texts", method: "Count")) { bytes, _ in
      let count = bytes.count
      return { _, _, outgoing in
        for number in 0..<count { try await outgoing.send(OutgoingMessage(encoded: ByteBuffer(string: "\(number)"))) }
        if count == 3 { throw RPCError(.aborted, reason: "THREE", domain: "test", "three") }
      }
    }
    method.runsOnEventLoop = true
    return method
  }()

  @Test func stream_returnsMessagesInEnvelopes_andItsEnd() throws {
    let connection = try EmbeddedHTTPConnection(to: [counting])
    connection.receive(stream("Count", "\0\0\0\0\u{2}ab"))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 200 OK\r\n") && sent.contains("content-type: application/connect+proto\r\n"))
    #expect(sent.contains("transfer-encoding: chunked\r\n"))
    #expect(sent.hasSuffix("6\r\n\0\0\0\0\u{1}0\r\n6\r\n\0\0\0\0\u{1}1\r\n7\r\n\u{2}\0\0\0\u{2}{}\r\n0\r\n\r\n"))
    #expect(connection.isOpen)
  }

  @Test func stream_whenItFails_endsWithError() throws {
    let connection = try EmbeddedHTTPConnection(to: [counting])
    connection.receive(stream("Count", "\0\0\0\0\u{3}abc"))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(sent.contains(#"{"error":{"code":"aborted","message":"three","details":["#))
    #expect(sent.hasSuffix("}]}}\r\n0\r\n\r\n"))
  }

  @Test func stream_whenHTTP1_0_endsWithConnection() throws {
    let connection = try EmbeddedHTTPConnection(to: [counting])
    connection.receive(
      .request(
        "POST /test.Texts/Count HTTP/1.0", ["Content-Type: application/connect+proto", "Content-Length: 6"],
        "\0\0\0\0\u{1}a"))
    #expect(try connection.sent().hasSuffix("\r\n\r\n\0\0\0\0\u{1}0\u{2}\0\0\0\u{2}{}"))
    #expect(!connection.isOpen)
  }

  @Test(arguments: [
    ("", "unimplemented"), ("\0", "invalid_argument"), ("\0\0\0\0\u{2}a", "invalid_argument"),
    ("\0\0\0\0\u{1}ab", "unimplemented"), ("\0\0\0\0\u{1}a\0\0\0\0\u{1}a", "unimplemented"),
    ("\u{1}\0\0\0\u{1}a", "internal"), ("\u{2}\0\0\0\u{1}a", "internal"),
    ("\0\u{7f}\u{7f}\u{7f}\u{7f}a", "invalid_argument"),
  ])
  func stream_whenRequestIsNotOneMessage_fails(_ body: String, _ code: String) throws {
    let connection = try EmbeddedHTTPConnection(to: [counting])
    connection.receive(stream("Count", body))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 200 OK\r\n") && sent.contains(#"{"error":{"code":"\#(code)","#))
    #expect(connection.isOpen)
  }

  @Test func stream_whenContentTypeIsOfUnaryCall_is415() throws {
    let connection = try EmbeddedHTTPConnection(to: [counting])
    #expect(try connection.status(.call("Count")) == 415)
  }

  // MARK: The end

  @Test func call_whenClientDisconnects_isCancelled() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(.call("Hold"))
    let state = try connection.handler.state
    #expect(state.runningCalls == 1)
    try connection.channel.close().wait()
    connection.channel.embeddedEventLoop.run()
    #expect(try connection.sent().isEmpty)
  }

  @Test func call_whenServerShutsDown_isUnavailable_ifItWouldNotEnd() throws {
    var method = ServerMethod.holding
    method.endsOnShutdown = true
    let connection = try EmbeddedHTTPConnection(to: [method])
    connection.receive(.call("Hold"))
    connection.shutdownFlag.set()
    connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(try connection.sent().contains(#""code":"unavailable""#))
    #expect(!connection.isOpen)
    let late = try EmbeddedHTTPConnection(to: [method])
    late.shutdownFlag.set()
    #expect(try late.status(.call("Hold")) == 503)
  }

  // MARK: Authentication

  @Test func body_whenCallerIsUnknown_isNotAccepted() throws {
    var method = ServerMethod.saying
    method.authenticate = { _ in throw RPCError(.unauthenticated, reason: "X", "") }
    var limits = ServerLimits()
    limits.requiresAuthentication = true
    let connection = try EmbeddedHTTPConnection(to: [method], limits: limits)
    #expect(try connection.status(.call(length: 100_000)) == 401)
    connection.receive(String(repeating: "a", count: 100_000))
    #expect(try connection.handler.state.heldBytes == 0)
    connection.pass(.seconds(10))
    #expect(!connection.isOpen)
  }

  @Test func body_whenCallerIsUnknown_andItIsShort_leavesConnectionOpen() throws {
    var method = ServerMethod.saying
    method.authenticate = { _ in throw RPCError(.unauthenticated, reason: "X", "") }
    var limits = ServerLimits()
    limits.requiresAuthentication = true
    let connection = try EmbeddedHTTPConnection(to: [method], limits: limits)
    for _ in 0..<3 { #expect(try connection.status(.call(body: "\n\u{1}a")) == 401) }
    #expect(connection.isOpen)
  }

  @Test func body_whenMethodNeedsNoCredentials_isLimited_beforeAuthentication() throws {
    var limits = ServerLimits()
    limits.requiresAuthentication = true
    let connection = try EmbeddedHTTPConnection(limits: limits)
    #expect(try connection.status(.call(length: 65537)) == 413)
  }

  @Test func invalidCredentials_closeConnection_unlessOthersWereValid() throws {
    var method = ServerMethod.saying
    method.authenticate = { call in
      guard call.metadata["authorization"] != "good" else {
        call.authenticated()
        return .ready(())
      }
      call.rejectedCredentials()
      throw RPCError(.unauthenticated, reason: "X", "")
    }
    var limits = ServerLimits()
    (limits.requiresAuthentication, limits.maximumStrikes) = (true, 3)
    let stranger = try EmbeddedHTTPConnection(to: [method], limits: limits)
    for _ in 0..<3 { stranger.receive(.call()) }
    #expect(!stranger.isOpen)
    let proxy = try EmbeddedHTTPConnection(to: [method], limits: limits)
    #expect(try proxy.status(.call("Say", ["Authorization: good"])) == 200)
    for _ in 0..<5 { proxy.receive(.call("Say", ["Authorization: bad"])) }
    #expect(proxy.isOpen)
  }
}
#endif
