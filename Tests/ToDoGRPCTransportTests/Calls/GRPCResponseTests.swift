#if GRPC
import NIOCore
import NIOHPACK
import NIOHTTP2
import ToDoRPC
import ToDoTestServers
import Testing

/// The responses that the tests' own client accepts, because it would otherwise overlook a server's faults.
@Suite struct GRPCResponseTests {
  private static let headers: HPACKHeaders = [":status": "200", "content-type": "application/grpc"]

  private func headers(_ headers: HPACKHeaders, endStream: Bool = false) -> HTTP2Frame.FramePayload {
    .headers(.init(headers: headers, endStream: endStream))
  }

  private func data(_ bytes: [UInt8]) -> HTTP2Frame.FramePayload {
    .data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes))))
  }

  /// Returns the messages of a response that ends with trailers.
  private func messages(of parts: [[UInt8]], _ trailers: HPACKHeaders) throws -> [[UInt8]] {
    var (response, messages) = (GRPCResponse(), [[UInt8]]())
    for frame in [headers(Self.headers)] + parts.map(data) + [headers(trailers, endStream: true)] {
      try response.receive(frame)
      while let message = try response.nextMessage() { messages.append(message) }
    }
    #expect(response.isComplete)
    return messages
  }

  @Test(arguments: [1, 2, 5, 7, 100]) func messages_whenInParts_areComplete(_ size: Int) throws {
    let bytes: [UInt8] = [0, 0, 0, 0, 2, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 9]
    let parts = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    #expect(try messages(of: parts, ["grpc-status": "0"]) == [[7, 8], [], [9]])
  }

  @Test(
    arguments: [
      (["grpc-status": "5", "grpc-message": "100%25 %E2%80%9Cπ%e2%80%9d"], .notFound, "100% “π”"),
      (["grpc-status": "9", "grpc-message": "100%"], .failedPrecondition, "100%"),
      (["grpc-status": "9", "grpc-message": "%41%4g"], .failedPrecondition, "%41%4g"),
      (["grpc-status": "14"], .unavailable, ""), (["grpc-status": "99"], .unknown, ""),
    ] as [(HPACKHeaders, StatusCode, String)])
  func status_whenNotOK_isThrown(_ trailers: HPACKHeaders, _ code: StatusCode, _ message: String) throws {
    let error = try #require(throws: RPCError.self) { try messages(of: [[0, 0, 0, 0, 0]], trailers) }
    #expect(error.code == code)
    #expect(error.message == message)

    var (response, only) = (GRPCResponse(), Self.headers)
    only.add(contentsOf: trailers)
    #expect(throws: error) { try response.receive(headers(only, endStream: true)) }
  }

  @Test(
    arguments: [
      ([], [:]), ([], ["grpc-status": "x"]), ([], ["grpc-status": "0", "grpc-message": "no"]),
      ([], ["grpc-status": "5", "grpc-status-details-bin": "="]),
      // The details have the code INVALID_ARGUMENT.
      ([], ["grpc-status": "5", "grpc-status-details-bin": "CAM"]),
      ([[0, 0, 0, 0, 2, 7]], ["grpc-status": "0"]), ([[1, 0, 0, 0, 0]], ["grpc-status": "0"]),
    ] as [([[UInt8]], HPACKHeaders)])
  func response_whenInvalid_isRejected(_ parts: [[UInt8]], _ trailers: HPACKHeaders) {
    #expect(throws: InvalidGRPCResponse.self) { try messages(of: parts, trailers) }
  }

  @Test(
    arguments: [
      [":status": "200"], [":status": "503", "content-type": "application/grpc"],
      [":status": "200", "content-type": "text/plain"],
    ] as [HPACKHeaders])
  func headers_whenNotOfGRPC_areRejected(_ headers: HPACKHeaders) {
    var response = GRPCResponse()
    #expect(throws: InvalidGRPCResponse.self) { try response.receive(self.headers(headers)) }
  }

  @Test func stream_whenReset_isUnavailable() {
    var response = GRPCResponse()
    #expect(throws: RPCError.self) { try response.receive(.rstStream(.refusedStream)) }
  }
}
#endif
