#if HTTP
import NIOCore
import NIOEmbedded
import NIOHPACK
import Testing
import ToDoRPC
import ToDoTestSupport
import ToDoTransport

@testable import ToDoHTTPTransport

/// Requests over HTTP/2.
@Suite(.timeLimited) struct HTTP2RequestTests {
  private func client(
    _ methods: [ServerMethod] = [.saying, .holding], limits: ServerLimits = ServerLimits(),
    origins: OriginPolicy = OriginPolicy(), endpoints: [any HTTPEndpoint] = []
  ) throws -> EmbeddedHTTP2Client {
    EmbeddedHTTP2Client(
      try EmbeddedHTTPConnection(to: methods, limits: limits, origins: origins, endpoints: endpoints))
  }

  private let frame: [UInt8] = [0, 0, 0, 0, 1, 97]

  // MARK: Protocols

  @Test func connect_isServed_asOverHTTP1() throws {
    let answer = try client().call([97])
    #expect(answer.status == "200" && answer.body == [97] && answer.hasEnded && answer.reset == nil)
    #expect(answer.headers["content-type"] == ["application/proto"])
    #expect(answer.headers["content-length"] == ["1"])
    #expect(answer.headers["x-content-type-options"] == ["nosniff"])
    #expect(answer.headers["connection"].isEmpty)
  }

  @Test func grpcWeb_isServed() throws {
    let answer = try client().call(frame, type: "application/grpc-web")
    #expect(answer.status == "200" && answer.text.hasPrefix("\0\0\0\0\u{1}a") && answer.text.contains("grpc-status: 0"))
  }

  @Test(arguments: ["application/grpc", "application/grpc+proto"]) func grpc_isServed(_ type: String) throws {
    let answer = try client().call(frame, type: type, headers: [("te", "trailers")])
    #expect(answer.status == "200" && answer.body == frame && answer.hasEnded)
    #expect(answer.headers["grpc-status"] == ["0"])
  }

  @Test func grpc_whenPageIsForeign_is403() throws {
    let client = try client(origins: OriginPolicy(origins: ["https://lists.example"]))
    #expect(
      try client.call(frame, type: "application/grpc", headers: [("origin", "https://evil.example")]).status == "403")
    #expect(try client.call(frame, type: "application/grpc", authority: "evil.example").status == "403")
    let answer = try client.call([97], headers: [("origin", "https://lists.example")])
    #expect(answer.headers["access-control-allow-origin"] == ["https://lists.example"])
    #expect(
      try client.call(method: "OPTIONS", type: nil, headers: [("origin", "https://lists.example")]).status == "204")
  }

  @Test func stream_returnsMessages_andItsEnd() throws {
    var method = ServerMethod.streaming(MethodName(service: "test.Texts", method: "Count")) { _, _ in
      { _, _, outgoing in
        for number in 0..<3 { try await outgoing.send(OutgoingMessage(encoded: ByteBuffer(string: "\(number)"))) }
      }
    }
    method.runsOnEventLoop = true
    let answer = try client([method]).call(
      frame, at: "/test.Texts/Count", type: "application/connect+proto")
    #expect(answer.text == "\0\0\0\0\u{1}0\0\0\0\0\u{1}1\0\0\0\0\u{1}2\u{2}\0\0\0\u{2}{}" && answer.hasEnded)
    #expect(answer.headers["content-length"].isEmpty && answer.headers["transfer-encoding"].isEmpty)
  }

  @Test(arguments: [
    ("/", "POST", "application/proto", 404), ("/test.Texts/Say", "PUT", "application/proto", 405),
    ("/test.Texts/Say", "POST", "text/plain", 415), ("/test.Texts/Say", "HEAD", "application/proto", 405),
    ("*", "OPTIONS", "application/proto", 400),
  ])
  func request_whenNotOfMethod_hasStatus_andConnectionStays(
    _ path: String, _ method: String, _ type: String, _ status: Int
  ) throws {
    let client = try client()
    let answer = try client.call(at: path, method: method, type: type)
    #expect(answer.status == "\(status)" && answer.hasEnded)
    #expect(answer.body.isEmpty == (method == "HEAD"))
    #expect(try client.call([97]).body == [97])
  }

  @Test func hosts_whenTheyDiffer_is400() throws {
    let client = try client()
    #expect(try client.call(headers: [("host", "other")]).status == "400")
    #expect(try client.call(headers: [("host", "LOCALHOST")]).status == "200")
  }

  @Test func cookie_whenInParts_isOneHeader() throws {
    let tell = ServerMethod.unary(MethodName(service: "test.Texts", method: "Tell")) { _, _, call in
      .ready(OutgoingMessage(encoded: ByteBuffer(string: call.metadata["authorization"] ?? "")))
    }
    let cookies = [("cookie", "a=b"), ("cookie", "todo-session=t"), ("cookie", "c=d")]
    let answer = try client([tell]).call(
      at: "/test.Texts/Tell", headers: [("sec-fetch-site", "same-origin")] + cookies)
    #expect(answer.text == "Bearer t")
  }

  @Test(arguments: [" a", "a ", "a\t", " "]) func value_withSpaceAround_is400_exceptInGRPC(_ value: String) throws {
    let client = try client()
    #expect(try client.call([97], headers: [("x", value)]).status == "400")
    #expect(try client.call([97], headers: [("x", "a b")]).body == [97])
    #expect(try client.call(frame, type: "application/grpc", headers: [("x", value)]).status == "200")
  }

  @Test func head_whenTooLarge_is431_andConnectionStays() throws {
    let client = try client()
    #expect(try client.call(headers: (0..<101).map { ("x\($0)", "y") }).status == "431")
    #expect(try client.call([97]).body == [97])
  }

  // MARK: Many at a time

  @Test func requests_areServedAtTheSameTime() throws {
    let client = try client()
    let held = try (0..<100).map { _ in try client.open("/test.Texts/Hold", endStream: true) }
    #expect(try client.call([97]).body == [97])
    for stream in held {
      #expect(try client.answer(on: stream).status == nil)
      client.reset(stream)
    }
    #expect(client.connection.isOpen)
  }

  @Test func requests_aboveTheLimitOfStreams_areRefused_andConnectionStays() throws {
    var limits = ServerLimits()
    limits.maximumStreams = 4
    let client = try client(limits: limits)
    let held = try (0..<4).map { _ in try client.open("/test.Texts/Hold", endStream: true) }
    #expect(try client.call([97]).reset == 7)
    client.reset(held[0])
    // The work of a canceled call counts until it has stopped.
    client.connection.channel.embeddedEventLoop.run()
    #expect(client.connection.isOpen)
  }

  @Test func request_whenOutputIsFull_waits() throws {
    var limits = ServerLimits()
    limits.outputLimit = 0
    let client = try client(limits: limits)
    #expect(try client.call([97]).status == nil)
  }

  @Test func requests_beforeAuthentication_shareTheMemoryOfOne() throws {
    var limits = ServerLimits()
    limits.requiresAuthentication = true
    let client = try client(limits: limits)
    var rejected = 0
    for _ in 0..<20 {
      let stream = try client.open("/test.Texts/Say")
      client.send([UInt8](repeating: 0, count: 16_000), on: stream, endStream: false)
      if try client.answer(on: stream).status == "413" { rejected += 1 }
    }
    #expect(rejected > 10)
  }

  // MARK: Bodies

  @Test func body_whenInParts_isServed() throws {
    let client = try client()
    let stream = try client.open("/test.Texts/Say")
    for byte in "Milk".utf8 { client.send([byte], on: stream, endStream: false) }
    #expect(try client.answer(on: stream).status == nil)
    client.send([], on: stream)
    #expect(try client.answer(on: stream).text == "Milk")
  }

  @Test func body_whenTooLarge_is413_andStreamIsReset() throws {
    let client = try client()
    let stream = try client.open("/test.Texts/Say", headers: [("content-length", "4194305")])
    let answer = try client.answer(on: stream)
    #expect(answer.status == "413" && answer.hasEnded && answer.reset == 0)
    #expect(try client.call([97]).body == [97])
  }

  @Test func body_whenSlow_is408_andConnectionStays() throws {
    let client = try client()
    let stream = try client.open("/test.Texts/Say")
    client.send([97], on: stream, endStream: false)
    client.connection.pass(.seconds(9))
    #expect(try client.answer(on: stream).status == nil)
    client.connection.pass(.seconds(2))
    let answer = try client.answer(on: stream)
    #expect(answer.status == "408" && answer.reset == 0)
    #expect(try client.call([97]).body == [97])
  }

  @Test func body_whenServerWasSuspended_hasAnotherSecond() throws {
    let client = try client()
    let loop = client.connection.channel.embeddedEventLoop
    // Runs when the time of the body is over, before its timer, which is then late.
    loop.scheduleTask(in: .seconds(10)) { loop.advanceTime(by: .seconds(5)) }
    let stream = try client.open("/test.Texts/Say")
    client.connection.pass(.seconds(10))
    #expect(try client.answer(on: stream).status == nil)
    client.send([97], on: stream, endStream: false)
    // The embedded clock has gone back to 10 s.
    client.connection.pass(.seconds(6))
    #expect(try client.answer(on: stream).status == "408")
  }

  @Test func body_whenCallerIsUnknown_isNotAccepted() throws {
    var method = ServerMethod.saying
    method.authenticate = { _ in throw RPCError(.unauthenticated, reason: "X", "") }
    var limits = ServerLimits()
    limits.requiresAuthentication = true
    let client = try client([method], limits: limits)
    let stream = try client.open("/test.Texts/Say")
    #expect(try client.answer(on: stream).status == "401")
  }

  // MARK: The end

  @Test func call_whenItsTimeIsOver_isDeadlineExceeded() throws {
    let client = try client()
    let stream = try client.open("/test.Texts/Hold", headers: [("connect-timeout-ms", "1500")], endStream: true)
    client.connection.pass(.milliseconds(1500))
    #expect(try client.answer(on: stream).status == "504")
  }

  @Test func call_whenServerShutsDown_isUnavailable_ifItWouldNotEnd() throws {
    var method = ServerMethod.holding
    method.endsOnShutdown = true
    let client = try client([method])
    let stream = try client.open("/test.Texts/Hold", endStream: true)
    client.connection.shutdownFlag.set()
    client.connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(try client.answer(on: stream).text.contains(#""code":"unavailable""#))
    #expect(client.goAways > 0)
  }

  @Test func call_whenClientResetsIt_isCancelled() throws {
    let client = try client()
    let stream = try client.open("/test.Texts/Hold", endStream: true)
    client.reset(stream)
    #expect(try client.answer(on: stream).status == nil)
    #expect(try client.call([97]).body == [97])
  }

  // MARK: Endpoints

  /// Answers after a second, also if nobody waits for that.
  private struct Silence: HTTPEndpoint {
    let path = "/silence"
    let methods: Set<String> = ["POST"]
    let maximumBodySize = 65_536
    let clock = ManualClock()

    func respond(to request: HTTPEndpointRequest) async -> HTTPEndpointResponse {
      await Task { [clock] in try? await clock.sleep(for: .seconds(1)) }.value
      return HTTPEndpointResponse(status: 204, contentType: nil)
    }
  }

  @Test func endpoints_beforeAuthentication_shareTheMemoryOfCalls() throws {
    var limits = ServerLimits()
    limits.requiresAuthentication = true
    limits.maximumFrameLengthBeforeAuthentication = 1000
    let client = try client(limits: limits, endpoints: [Silence()])
    let streams = try (1...3).map { _ in try client.open("/silence") }
    for stream in streams { client.send(Array(repeating: 97, count: 900), on: stream, endStream: false) }
    #expect(try streams.map { try client.answer(on: $0).status } == [nil, nil, "413"])
  }

  @Test func endpoints_countAmongTheCallsOfTheirConnection() throws {
    var limits = ServerLimits()
    limits.maximumStreams = 1
    let silence = Silence()
    let client = try client(limits: limits, endpoints: [silence])
    client.reset(try client.open("/silence", endStream: true))
    #expect(try client.answer(on: client.open("/silence", endStream: true)).status == "429")
    silence.clock.advance(by: .seconds(1))
  }

  // MARK: Which version

  @Test func preface_whenInBytes_isThatOfHTTP2() throws {
    let connection = try EmbeddedHTTPConnection()
    for byte in "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8 { connection.receive(bytes: [byte][...]) }
    connection.receive(bytes: [0, 0, 0, 4, 0, 0, 0, 0, 0])
    let sent = try connection.sentBytes()
    #expect(sent.count > 9 && sent[3] == 4)
  }

  @Test(arguments: ["", "P", "PRI * HTTP/2.0"]) func connection_whenFirstBytesAreMissing_isClosed(_ part: String) throws
  {
    let connection = try EmbeddedHTTPConnection()
    if !part.isEmpty { connection.receive(part) }
    connection.pass(.seconds(9))
    #expect(connection.isOpen)
    connection.pass(.seconds(1))
    #expect(!connection.isOpen)
  }

  @Test(arguments: ["PRI * HTTP/2.0\r\nx", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nhello, world, this is no frame"])
  func preface_whenInvalid_closesConnection(_ text: String) throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(text + String(repeating: "x", count: 40))
    connection.pass(.seconds(11))
    #expect(!connection.isOpen)
  }
}
#endif
