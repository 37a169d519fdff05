#if GRPC
import NIOCore
import NIOHTTP2
package import ToDoRPC
package import ToDoTransport

/// A client that sends and receives bytes, over one connection.
package struct GRPCTestClient: Sendable {
  private let base: HTTP2TestClient
  private let scheme: String

  /// Connects during `body`.
  package static func with<Value: Sendable>(
    _ endpoint: Endpoint, tls: ClientTLS = ClientTLS(), _ body: (GRPCTestClient) async throws -> Value
  ) async throws -> Value {
    let scheme = if case .tls = endpoint { "https" } else { "http" }
    return try await HTTP2TestClient.with(endpoint, tls: tls, isStrict: true) { base in
      try await body(GRPCTestClient(base: base, scheme: scheme))
    }
  }

  /// Calls a method that returns one response.
  ///
  /// - Throws: `RPCError`, with the details that came with it; `CancellationError`; `InvalidGRPCResponse`.
  package func call(
    _ method: MethodName, _ request: [UInt8], metadata: [String: String] = [:]
  ) async throws -> [UInt8] {
    try await stream(method, [request], metadata: metadata) { messages in
      var last: [UInt8]?
      for try await message in messages { last = message }
      return last ?? []
    }
  }

  /// Calls a method, and reads its responses. The call is canceled if `read` returns before it has read all of them.
  ///
  /// - Throws: as `call`.
  package func stream<Value: Sendable>(
    _ method: MethodName, _ requests: [[UInt8]], metadata: [String: String] = [:],
    _ read: (Messages) async throws -> Value
  ) async throws -> Value {
    let stream = try await open()
    // Closing a stream that has not ended resets it with CANCEL.
    return try await stream.executeThenClose { frames in
      try await send(method, requests, metadata, on: stream.channel)
      return try await read(Messages(frames))
    }
  }

  private func open() async throws -> NIOAsyncChannel<HTTP2Frame.FramePayload, Never> {
    do { return try await base.open { try NIOAsyncChannel(wrappingChannelSynchronously: $0) } } catch {
      throw RPCError(endOfStream: error)
    }
  }

  /// Sends all requests, without waiting for the server to read them.
  private func send(
    _ method: MethodName, _ requests: [[UInt8]], _ metadata: [String: String], on channel: any Channel
  ) async throws {
    // HTTP/2 requires lower case.
    let metadata = metadata.map { ($0.key.lowercased(), $0.value) }
    let headers = HTTP2TestStream.headers(
      method.method, of: method.service, [(":scheme", scheme), ("user-agent", "test")] + metadata)
    do { try await channel.writeAndFlush(HTTP2Frame.FramePayload.headers(.init(headers: headers))) } catch {
      throw RPCError(endOfStream: error)
    }
    for request in requests {
      let bytes = ByteBuffer(bytes: HTTP2TestStream.prefix(request.count) + request)
      channel.write(HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(bytes))), promise: nil)
    }
    channel.writeAndFlush(
      HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)), promise: nil)
  }
}

extension GRPCTestClient {
  /// The messages of a stream. Until a test asks for the next one, the client reads at most a few frames ahead.
  package struct Messages: AsyncSequence {
    private let frames: NIOAsyncChannelInboundStream<HTTP2Frame.FramePayload>

    fileprivate init(_ frames: NIOAsyncChannelInboundStream<HTTP2Frame.FramePayload>) { self.frames = frames }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(frames.makeAsyncIterator()) }

    package struct AsyncIterator: AsyncIteratorProtocol {
      private var frames: NIOAsyncChannelInboundStream<HTTP2Frame.FramePayload>.AsyncIterator
      private var response = GRPCResponse()

      fileprivate init(_ frames: NIOAsyncChannelInboundStream<HTTP2Frame.FramePayload>.AsyncIterator) {
        self.frames = frames
      }

      package mutating func next() async throws -> [UInt8]? {
        while true {
          if let message = try response.nextMessage() { return message }
          guard !response.isComplete else { return nil }
          try response.receive(try await nextFrame())
        }
      }

      private mutating func nextFrame() async throws -> HTTP2Frame.FramePayload {
        do {
          guard let frame = try await frames.next() else { throw ChannelError.eof }
          return frame
        } catch {
          try Task.checkCancellation()
          throw RPCError(endOfStream: error)
        }
      }
    }
  }
}

extension RPCError {
  /// The error of a call whose stream, or whose connection, has ended without a status.
  fileprivate init(endOfStream error: any Error) {
    self = .unavailable("the stream has ended without a status: \(error)", isUnsent: false)
  }
}
#endif
