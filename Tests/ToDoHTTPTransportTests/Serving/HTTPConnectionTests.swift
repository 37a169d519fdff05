#if HTTP
import NIOCore
import NIOEmbedded
import Testing
import ToDoRPC
import ToDoTestSupport
import ToDoTransport
import ToDoSupport

@testable import ToDoHTTPTransport

/// The requests of one connection: what ends it, and what does not.
@Suite(.timeLimited) struct HTTPConnectionTests {
  // MARK: One request after the other

  @Test func requests_whenPipelined_areServedInOrder() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(.call(body: "\n\u{1}a") + .call(body: "\n\u{1}b"))
    var sent = try connection.sent()
    #expect(sent.ranges(of: "HTTP/1.1 200 OK").count == 1)
    // Other connections have their turn before the second request.
    connection.pass(.milliseconds(20))
    sent += try connection.sent()
    #expect(sent.ranges(of: "HTTP/1.1 200 OK").count == 2)
    #expect(sent.contains("\n\u{1}a") && sent.hasSuffix("\n\u{1}b"))
    #expect(connection.isOpen)
  }

  @Test func request_whenAnotherIsServed_staysUnread() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(.call("Hold") + .call())
    #expect(try connection.sent().isEmpty)
    #expect(try connection.handler.gate.isHolding)
    #expect(try connection.handler.gate.hasWaitingBytes)
  }

  @Test func request_whenInBytes_isServed() throws {
    let connection = try EmbeddedHTTPConnection()
    for character in String.call(body: "\n\u{1}a") { connection.receive(String(character)) }
    #expect(try connection.sent().hasPrefix("HTTP/1.1 200 OK"))
  }

  @Test func body_whenChunked_isServed_andConnectionStays() throws {
    let connection = try EmbeddedHTTPConnection()
    let head = String.request(
      "POST /test.Texts/Say HTTP/1.1",
      ["Host: localhost", "Content-Type: application/proto", "Transfer-Encoding: chunked"])
    connection.receive(head + "1\r\n\n\r\n2;ext=1\r\n\u{1}a\r\n0\r\nTrailer: x\r\n\r\n" + .call())
    connection.pass(.milliseconds(20))
    let sent = try connection.sent()
    #expect(sent.ranges(of: "HTTP/1.1 200 OK").count == 2)
    #expect(sent.contains("\n\u{1}a"))
  }

  // MARK: The end of a connection

  @Test(arguments: ["Connection: close", "Upgrade: h2c\r\nConnection: Upgrade", "Upgrade: websocket"])
  func connection_whenRequestAsksForItsEnd_isClosedAfterResponse(_ header: String) throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(.call("Say", [header], body: "\n\u{1}a"))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 200 OK") && sent.contains("connection: close"))
    #expect(!connection.isOpen)
  }

  @Test func request_whenHTTP1_0_isServed_andConnectionIsClosed() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(
      .request("POST /test.Texts/Say HTTP/1.0", ["Content-Type: application/proto", "Content-Length: 3"], "\n\u{1}a"))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.0 200 OK") && sent.contains("content-length: 3"))
    #expect(!connection.isOpen)
  }

  @Test func connection_whenServerShutsDown_isClosed_orAfterItsResponse() throws {
    let idle = try EmbeddedHTTPConnection()
    idle.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(!idle.isOpen)
    let busy = try EmbeddedHTTPConnection()
    busy.receive(.call(length: 3))
    busy.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(busy.isOpen)
    busy.receive("\n\u{1}a")
    #expect(try busy.sent().contains("connection: close"))
    #expect(!busy.isOpen)
  }

  @Test func connection_whenLoginTimeIsEnding_isClosedAfterResponse() throws {
    var limits = ServerLimits()
    (limits.requiresAuthentication, limits.loginTime) = (true, .seconds(30))
    let connection = try EmbeddedHTTPConnection(limits: limits)
    connection.receive(.call())
    connection.pass(.seconds(14))
    connection.receive(.call())
    #expect(try !connection.sent().contains("connection: close") && connection.isOpen)
    connection.pass(.seconds(1))
    connection.receive(.call())
    #expect(try connection.sent().contains("connection: close") && !connection.isOpen)
  }

  // MARK: Time

  @Test func connection_whenNothingArrives_isClosed() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.pass(.seconds(9))
    #expect(connection.isOpen)
    connection.pass(.seconds(1))
    #expect(!connection.isOpen)
  }

  @Test func connection_whenHeadIsSlow_is408_andClosed() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive("POST /test.Texts/Say HTTP/1.1\r\n")
    for _ in 0..<9 {
      connection.pass(.seconds(1))
      connection.receive("A: b\r\n")
    }
    #expect(connection.isOpen)
    connection.pass(.seconds(1))
    #expect(try connection.sent().hasPrefix("HTTP/1.1 408"))
    connection.pass(.seconds(10))
    #expect(!connection.isOpen)
  }

  @Test func connection_whenBodyIsSlow_is408_andClosed() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(.call(length: 65536))
    for _ in 0..<10 {
      connection.pass(.seconds(1))
      connection.receive("a")
    }
    #expect(connection.isOpen)
    #expect(try connection.sent().isEmpty)
    connection.pass(.seconds(1))
    #expect(try connection.sent().hasPrefix("HTTP/1.1 408"))
    connection.pass(.seconds(10))
    #expect(!connection.isOpen)
  }

  @Test func connection_whenIdle_isClosed() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(.call())
    connection.pass(.seconds(3599))
    #expect(connection.isOpen)
    connection.pass(.seconds(1))
    #expect(!connection.isOpen)
  }

  @Test func call_whenItsTimeIsOver_isDeadlineExceeded() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(.call("Hold", ["Connect-Timeout-Ms: 1500"]))
    connection.pass(.milliseconds(1499))
    #expect(try connection.sent().isEmpty)
    connection.pass(.milliseconds(1))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 504") && sent.contains(#""code":"deadline_exceeded""#))
    #expect(connection.isOpen)
  }
}
#endif
