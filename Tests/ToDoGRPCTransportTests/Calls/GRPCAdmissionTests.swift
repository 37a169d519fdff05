#if GRPC
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport
import Testing
import ToDoTransport

@testable import ToDoGRPCTransport

/// The calls that a server accepts from one connection, and for how long.
@Suite(.timeLimited) struct GRPCAdmissionTests {
  private let methods = TestMethods()

  private func with(
    limits: ServerLimits, _ body: (HTTP2TestClient) async throws -> Void
  ) async throws {
    try await GRPCTestServer.with(methods.table, limits: limits) { server async throws in
      try await HTTP2TestClient.with(server.endpoint, body)
    }
  }

  @Test func call_whenItsTimeoutIsAboveMaximum_endsAtMaximum() async throws {
    var limits = ServerLimits.patient
    limits.maximumDeadline = .milliseconds(20)
    try await with(limits: limits) { client async throws in
      let answer = try await client.call("Hold", headers: [("grpc-timeout", "1H")])
      #expect(answer.status == .deadlineExceeded)
    }
  }

  @Test func call_whileCancelledCallsStillRun_isRefused_untilOneStops() async throws {
    var limits = ServerLimits.patient
    limits.maximumStreams = 1
    try await with(limits: limits) { client async throws in
      let stubborn = try await client.open()
      try await stubborn.send(headers: HTTP2TestStream.headers("HoldStubbornly"))
      try await stubborn.send(HTTP2TestStream.message("first"), endStream: true)
      try await methods.journal.wait(for: "started first")
      try await stubborn.cancel()
      #expect(try await client.call("Say").reset == .refusedStream)

      methods.gate.open()
      try await methods.journal.wait(for: "cancelled first")
      // The connection counts the end of the work in its next turn.
      while try await client.call("Say").reset == .refusedStream {}
      #expect(try await client.call("Say").status == .ok)
    }
  }

  @Test func requests_whenUnauthenticatedAndTogetherTooLarge_areRejected() async throws {
    var limits = ServerLimits.patient
    limits.requiresAuthentication = true
    limits.maximumFrameLengthBeforeAuthentication = 10_000
    try await with(limits: limits) { client async throws in
      // Each is shorter than a message may be. None ends.
      var streams: [HTTP2TestStream] = []
      for _ in 0..<8 {
        let stream = try await client.open()
        try await stream.send(headers: HTTP2TestStream.headers("Say"))
        try await stream.send(HTTP2TestStream.prefix(9000) + [UInt8](repeating: 0, count: 4500))
        streams.append(stream)
      }
      let last = try #require(streams.last)
      #expect(try await last.answer.get().status == .resourceExhausted)
      for stream in streams.dropLast() { try? await stream.cancel() }
      #expect(try await client.call("Say").status == .ok)
    }
  }

  // MARK: Shutdown

  /// The status of a call that arrives at a connection without a socket after the shutdown has started.
  private func status(endsOnShutdown: Bool) throws -> String? {
    var method = ServerMethod.saying
    method.endsOnShutdown = endsOnShutdown
    let connection = try EmbeddedConnection(to: [method])
    connection.shutdownFlag.set()
    try connection.receive(HTTP2Bytes.preface + HTTP2Bytes.call("Say", on: 1))
    defer { _ = try? connection.channel.finish(acceptAlreadyClosed: true) }
    return try Self.headers(of: connection.channel).first(name: "grpc-status")
  }

  /// The headers that were sent on all streams.
  private static func headers(of channel: EmbeddedChannel) throws -> HPACKHeaders {
    var (decoder, headers, bytes) = (HPACKDecoder(allocator: ByteBufferAllocator()), HPACKHeaders(), ByteBuffer())
    while var part = try channel.readOutbound(as: ByteBuffer.self) { bytes.writeBuffer(&part) }
    while let start = bytes.readBytes(length: 9) {
      let length = Int(start[0]) << 16 + Int(start[1]) << 8 + Int(start[2])
      guard var payload = bytes.readSlice(length: length), start[3] == 1 else { continue }
      headers.add(contentsOf: try decoder.decodeHeaders(from: &payload))
    }
    return headers
  }

  // The client may not have read GOAWAY.
  @Test func call_duringShutdown_isServed_unlessShutdownEndsIt() throws {
    #expect(try status(endsOnShutdown: false) == "0")
    #expect(try status(endsOnShutdown: true) == "\(StatusCode.unavailable.rawValue)")
  }
}
#endif
