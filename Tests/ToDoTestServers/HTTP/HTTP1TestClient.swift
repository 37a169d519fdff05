#if HTTP
import NIOCore
import NIOHTTP1
import NIOPosix
import ToDoRPC
import ToDoTransport

/// Sends single requests over HTTP/1.1. Each has a connection of its own.
struct HTTP1TestClient {
  private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

  private let host: String
  private let port: Int

  /// Creates a client of a server on a TCP port.
  init(_ endpoint: Endpoint) throws {
    guard case .tcp(let host, let port) = endpoint else { throw InvalidConnectResponse("\(endpoint) is not served") }
    (self.host, self.port) = (host, port)
  }

  /// Calls a method, and reads the response with a function that returns its next part.
  func send<Value>(
    _ method: MethodName, _ type: String, _ body: ByteBuffer, _ metadata: [String: String],
    _ read: (HTTPResponseHead, _ parts: @escaping () async throws -> HTTPClientResponsePart?) async throws -> Value
  ) async throws -> Value {
    var headers = HTTPHeaders(Array(metadata))
    headers.add(name: "host", value: "\(host):\(port)")
    headers.add(name: "content-type", value: type)
    headers.add(name: "content-length", value: String(body.readableBytes))
    let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/\(method)", headers: headers)
    return try await connect().executeThenClose { inbound, outbound in
      try await outbound.write(contentsOf: [.head(head), .body(.byteBuffer(body)), .end(nil)])
      var parts = inbound.makeAsyncIterator()
      guard case .head(let head)? = try await parts.next() else { throw InvalidConnectResponse("there is no response") }
      return try await read(head) { try await parts.next() }
    }
  }

  private func connect() async throws -> Connection {
    do {
      return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: host, port: port) { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHTTPClientHandlers()
            return try Connection(wrappingChannelSynchronously: channel)
          }
        }
    } catch {
      throw RPCError.unavailable("the server cannot be reached: \(error)", isUnsent: true)
    }
  }
}
#endif
