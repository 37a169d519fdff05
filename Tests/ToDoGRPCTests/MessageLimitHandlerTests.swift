#if GRPC
  import GRPCCore
  import GRPCNIOTransportHTTP2Posix
  import NIOCore
  import NIOEmbedded
  import NIOHTTP2
  import Testing

  @testable import ToDoGRPC

  /// Messages of at most 300 bytes, in frames that begin and end anywhere.
  @Suite struct MessageLimitHandlerTests {
    private let channel = EmbeddedChannel(handler: MessageLimitHandler(limit: 300))

    private static func message(_ length: Int) -> [UInt8] {
      [0, 0, 0, UInt8(length >> 8), UInt8(length & 0xff)] + [UInt8](repeating: 0xff, count: length)
    }

    /// Sends bytes in frames of a size.
    ///
    /// - Returns: the bytes that were let through.
    private func send(_ bytes: [UInt8], inFramesOf size: Int) throws -> [UInt8] {
      var rest = bytes[...]
      while !rest.isEmpty {
        let buffer = ByteBuffer(bytes: rest.prefix(size))
        try channel.writeInbound(HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(buffer))))
        rest = rest.dropFirst(size)
      }
      var passed: [UInt8] = []
      while case .data(let frame)? = try channel.readInbound(as: HTTP2Frame.FramePayload.self) {
        if case .byteBuffer(let buffer) = frame.data { passed += Array(buffer.readableBytesView) }
      }
      return passed
    }

    @Test(arguments: [1, 2, 4, 5, 6, 7, 255, 10_000]) func messagesOfAllowedLengths_pass(_ size: Int) throws {
      let bytes = [0, 1, 300, 0, 5, 299].flatMap(Self.message)
      #expect(try send(bytes, inFramesOf: size) == bytes)
      #expect(try channel.readOutbound(as: RPCResponsePart<GRPCNIOTransportBytes>.self) == nil)
    }

    @Test(arguments: [1, 2, 4, 5, 6, 7, 255, 10_000]) func aLongerMessage_isRefused_andNothingPassesAfterIt(
      _ size: Int
    ) throws {
      let before = [3, 0].flatMap(Self.message)
      let passed = try send(before + Self.message(301) + Self.message(1), inFramesOf: size)
      #expect(before.starts(with: passed.prefix(before.count)))
      #expect(passed.count < before.count + 5)
      guard
        case .status(let status, let metadata)? = try channel.readOutbound(
          as: RPCResponsePart<GRPCNIOTransportBytes>.self)
      else {
        Issue.record("nothing was answered")
        return
      }
      #expect(status.code == .resourceExhausted)
      #expect(metadata[binaryValues: "grpc-status-details-bin"].contains { _ in true })
      guard case .rstStream(.noError)? = try channel.readOutbound(as: HTTP2Frame.FramePayload.self) else {
        Issue.record("the stream was not ended")
        return
      }
    }
  }
#endif
