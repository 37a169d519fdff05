#if GRPC
import NIOCore
import NIOEmbedded
import ToDoRPC
import Testing
import ToDoSupport
import ToDoTransport

@testable import ToDoGRPCTransport

/// Responses that wait for a client that does not read.
@Suite struct ResponseBufferTests {
  /// What ends the wait of a response.
  enum End: CaseIterable {
    case windowUpdate, reset, close
  }

  private static let size = 300_000
  private static let large = ServerMethod.unary(MethodName(service: "test.Texts", method: "Large")) { _, _, _ in
    .ready(OutgoingMessage(encoded: ByteBuffer(repeating: 0, count: size)))
  }
  private static let larger = ServerMethod.unary(MethodName(service: "test.Texts", method: "Larger")) { _, _, _ in
    .ready(OutgoingMessage(encoded: ByteBuffer(repeating: 0, count: 2 * size)))
  }

  /// A connection whose client has sent its first frames.
  private func connect(_ change: (inout ServerLimits) -> Void = { _ in }) throws -> EmbeddedConnection {
    var limits = ServerLimits()
    change(&limits)
    return try EmbeddedConnection(to: [Self.large, Self.larger], limits: limits, received: HTTP2Bytes.preface)
  }

  private func call(_ stream: UInt8) throws -> [UInt8] { try HTTP2Bytes.call("Large", on: Int(stream)) }

  /// Lets the server send a whole response.
  private func windowUpdate(_ stream: UInt8) -> [UInt8] {
    let increment = (0..<4).map { UInt8(truncatingIfNeeded: 400_000 >> (24 - 8 * $0)) }
    return [0, 0, 4, 8, 0, 0, 0, 0, 0] + increment + [0, 0, 4, 8, 0, 0, 0, 0, stream] + increment
  }

  private func end(_ stream: UInt8, by end: End, on connection: EmbeddedConnection) throws {
    switch end {
    case .windowUpdate: try connection.receive(windowUpdate(stream))
    case .reset: try connection.receive([0, 0, 4, 3, 0, 0, 0, 0, stream, 0, 0, 0, 8])
    case .close: try connection.close()
    }
  }

  @Test(arguments: End.allCases)
  func response_whenSentOrDiscarded_isReleasedOnce(_ end: End) throws {
    let connection = try connect()
    let state = try connection.state
    try connection.receive(call(1) + call(3))
    #expect(state.unsentBytes == 2 * (Self.size + 5))
    try self.end(1, by: end, on: connection)
    #expect(state.unsentBytes == (end == .close ? 0 : Self.size + 5))
    guard end != .close else { return }
    try self.end(3, by: end, on: connection)
    #expect(state.unsentBytes == 0)
    _ = try connection.channel.finish(acceptAlreadyClosed: true)
  }

  @Test func responses_whenAboveBudget_closeConnection() throws {
    let connection = try connect { $0.maximumBufferedBytes = 1 << 20 }
    for stream in [1, 3] as [UInt8] { try connection.receive(call(stream)) }
    #expect(connection.isOpen)
    for stream in [5, 7] as [UInt8] { try connection.receive(call(stream)) }
    #expect(!connection.isOpen)
  }

  @Test(arguments: [End.windowUpdate, .reset])
  func responses_whenEachIsReleased_stayWithinBudget(_ end: End) throws {
    let connection = try connect { $0.maximumBufferedBytes = 1 << 20 }
    for number in 0..<20 as Range<UInt8> {
      try connection.receive(call(2 * number + 1))
      try self.end(2 * number + 1, by: end, on: connection)
      #expect(connection.isOpen)
    }
    _ = try connection.channel.finish(acceptAlreadyClosed: true)
  }

  @Test(arguments: [End.windowUpdate, .reset])
  func unaryCall_whenOutputIsFull_waits(_ end: End) throws {
    let connection = try connect { $0.outputLimit = 2 * Self.size }
    let state = try connection.state
    for stream in [1, 3, 5, 7] as [UInt8] { try connection.receive(call(stream)) }
    #expect(state.unsentBytes == 2 * (Self.size + 5))
    // A call that is canceled while it waits is not begun.
    try self.end(5, by: .reset, on: connection)
    try self.end(1, by: end, on: connection)
    #expect(state.unsentBytes == 2 * (Self.size + 5))
    for stream in [3, 7] as [UInt8] { try self.end(stream, by: end, on: connection) }
    #expect(state.unsentBytes == 0)
    _ = try connection.channel.finish(acceptAlreadyClosed: true)
  }

  @Test func unaryCalls_whenOutputHasRoomForSeveral_allContinue() throws {
    let connection = try connect { $0.outputLimit = 2 * Self.size }
    let state = try connection.state
    try connection.receive(try HTTP2Bytes.call("Larger", on: 1) + call(3) + call(5))
    #expect(state.unsentBytes == 2 * Self.size + 5)
    try end(1, by: .reset, on: connection)
    #expect(state.unsentBytes == 2 * (Self.size + 5))
    _ = try connection.channel.finish(acceptAlreadyClosed: true)
  }

  @Test func unaryCall_whileWaiting_isNotLate() throws {
    let connection = try connect { $0.outputLimit = Self.size }
    let state = try connection.state
    try connection.receive(call(1) + call(3))
    connection.pass(20)
    try end(1, by: .windowUpdate, on: connection)
    #expect(state.unsentBytes == Self.size + 5)
    _ = try connection.channel.finish(acceptAlreadyClosed: true)
  }
}
#endif
