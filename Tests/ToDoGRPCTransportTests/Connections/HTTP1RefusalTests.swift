#if GRPC
import Logging
import NIOCore
import NIOEmbedded
import Testing
import ToDoRPC
import ToDoTestSupport
import ToDoTransport
import ToDoSupport

@testable import ToDoGRPCTransport

/// Clients of other protocols on a port for gRPC.
@Suite struct HTTP1RefusalTests {
  private let channel = EmbeddedChannel()

  init() throws {
    let limits = ServerLimits()
    let configuration = GRPCListener.Configuration(endpoint: .tcp(host: "localhost", port: 0))
    let services = CallServices([.saying], limits: limits, shutdownFlag: ShutdownFlag(), logger: Logger(label: "test"))
    try GRPCListener.select(channel, configuration, services, ConnectionLimiter(limits).account(of: channel))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  private func receive(_ bytes: [UInt8]) throws -> [UInt8] {
    _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
    channel.embeddedEventLoop.run()
    var sent: [UInt8] = []
    while let part = try channel.readOutbound(as: ByteBuffer.self) { sent += part.readableBytesView }
    return sent
  }

  @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "PROPFIND / HTTP/1.1\n", "POST /a/b HTTP/1.0\r\n"])
  func request_whenHTTP1_is505_andNothingElse(_ request: String) throws {
    let sent = String(decoding: try receive(Array(request.utf8)), as: UTF8.self)
    #expect(sent.hasPrefix("HTTP/1.1 505 HTTP Version Not Supported\r\n"))
    #expect(sent.hasSuffix("\r\n\r\nthis port serves gRPC, which needs HTTP/2\n"))
    #expect(!channel.isActive)
  }

  @Test func request_whenItsLineIsInParts_is505() throws {
    #expect(try receive(Array("GET / HT".utf8)) == [])
    #expect(channel.isActive)
    #expect(try receive(Array("TP/1.1\r\n".utf8)).starts(with: "HTTP/1.1 505".utf8))
  }

  @Test(arguments: [[0x16, 3, 1, 10], Array("INVALID PREFACE\r\n".utf8), [UInt8](repeating: 0, count: 5000)])
  func connection_whenOfAnotherProtocol_isClosed(_ bytes: [UInt8]) throws {
    #expect(try receive(bytes) == [])
    #expect(!channel.isActive)
  }

  @Test func connection_whenNoLineEnds_isClosed() throws {
    _ = try receive([0])
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }

  @Test func connection_whenHTTP2_isServed() throws {
    var frames: [UInt8] = []
    for byte in HTTP2Bytes.preface { frames += try receive([byte]) }
    #expect(frames.count > 9 && frames[3] == SentFrame.settings)
    #expect(try !receive(HTTP2Bytes.call("Say", on: 1)).isEmpty)
    #expect(channel.isActive)
  }

  @Test func connection_whenItsFirstBytesAreMissing_isClosed() throws {
    _ = try receive(Array("PRI * HTTP/2".utf8))
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }
}
#endif
