#if GRPC
import Testing

@testable import ToDoGRPCTransport

/// The streams that one connection may have open.
@Suite struct StreamLimitTests {
  private static let limit = 128

  private let connection: EmbeddedConnection

  init() throws { connection = try EmbeddedConnection() }

  /// HEADERS of calls whose messages do not arrive, on the streams from the first to the last of `numbers`.
  private func headers(_ numbers: Range<Int>) throws -> [UInt8] {
    try numbers.flatMap { try HTTP2Bytes.headers("Hold", on: Self.stream($0)) }
  }

  /// The ID of the client's stream with a number, from 0.
  private static func stream(_ number: Int) -> Int { 2 * number + 1 }

  @Test func settings_advertiseLimit() throws {
    try connection.receive(HTTP2Bytes.preface)
    let settings = try #require(try connection.sentFrames().first { $0.type == SentFrame.settings && $0.flags == 0 })
    let values = stride(from: 0, to: settings.payload.count, by: 6).map { Array(settings.payload[$0..<$0 + 6]) }
    #expect(values.filter { $0[..<2] == [0, 3] } == [[0, 3, 0, 0, 0, UInt8(Self.limit)]])
  }

  // The client has not yet read the server's SETTINGS in the second case.
  @Test(arguments: [HTTP2Bytes.settingsAcknowledgement, []])
  func stream_aboveLimit_isRefused_andOthersAreServed(_ acknowledgement: [UInt8]) throws {
    try connection.receive(HTTP2Bytes.preface + acknowledgement)
    try connection.receive(try headers(0..<Self.limit))
    _ = try connection.sentFrames()
    let excess = (Self.limit..<Self.limit + 3).map(Self.stream)
    // The client sends the messages before it learns that their streams are refused.
    for stream in excess { try connection.receive(try HTTP2Bytes.call("Say", on: stream)) }
    #expect(try connection.sentFrames().filter { $0.stream != 0 } == excess.map(SentFrame.refusal))
    #expect(connection.isOpen)

    // One of the others ends, and the next stream takes its place.
    try connection.receive(HTTP2Bytes.emptyMessage(on: 1))
    #expect(try connection.sentFrames().contains { $0.stream == 1 })
    let next = Self.stream(Self.limit + 3)
    try connection.receive(try HTTP2Bytes.call("Say", on: next))
    let answer = try connection.sentFrames().filter { $0.stream == next }
    #expect(!answer.isEmpty && !answer.contains(SentFrame.refusal(of: next)))
  }

  @Test(arguments: [HTTP2Bytes.settingsAcknowledgement, []])
  func streams_whenManyAboveLimitArriveAtOnce_areRefused(_ acknowledgement: [UInt8]) throws {
    try connection.receive(try HTTP2Bytes.preface + acknowledgement + headers(0..<Self.limit + 250))
    let refused = try connection.sentFrames().filter { $0.type == 3 }
    #expect(refused == (Self.limit..<Self.limit + 250).map { SentFrame.refusal(of: Self.stream($0)) })
    #expect(connection.isOpen)
  }

  @Test func settings_whenAcknowledgedTwice_closeConnection() throws {
    try connection.receive(HTTP2Bytes.preface + HTTP2Bytes.settingsAcknowledgement)
    #expect(connection.isOpen)
    try connection.receive(HTTP2Bytes.settingsAcknowledgement)
    #expect(!connection.isOpen)
  }

  // MARK: Floods

  @Test func streams_whenTooManyAreRefusedInOneSecond_closeConnection() throws {
    try connection.receive(HTTP2Bytes.preface + HTTP2Bytes.settingsAcknowledgement)
    let end = Self.limit + 1000
    try connection.receive(try headers(0..<end))
    #expect(connection.isOpen)
    _ = try connection.sentFrames()
    try connection.receive(try headers(end..<end + 1))
    #expect(try connection.sentFrames().contains { $0.type == SentFrame.goAway })
    #expect(!connection.isOpen)
  }

  @Test func streams_whenRefusedOverSeveralSeconds_leaveConnectionOpen() throws {
    try connection.receive(try HTTP2Bytes.preface + HTTP2Bytes.settingsAcknowledgement + headers(0..<Self.limit))
    // Together more than the limit of one second.
    for start in [Self.limit, Self.limit + 600] {
      try connection.receive(try headers(start..<start + 600))
      #expect(connection.isOpen)
      connection.pass(1)
    }
  }
}
#endif
