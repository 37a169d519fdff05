import Logging
import NIOCore
import NIOPosix
import Synchronization
import ToDoProtobuf
package import ToDoRPC
import ToDoTTRPC
package import ToDoTTRPCTransport
package import ToDoTransport

/// A server that a test controls frame by frame.
package final class FakeServer: Sendable {
  package let endpoint: Endpoint

  private struct State {
    var accepted = 0
    var peers: [RawClient] = []
    var waiters: [EventLoopPromise<RawClient>] = []
  }

  private let state = Mutex(State())

  private init(_ endpoint: Endpoint) {
    self.endpoint = endpoint
  }

  /// The total number of accepted connections.
  package var accepted: Int { state.withLock(\.accepted) }

  /// Listens during `body`.
  ///
  /// - Parameter isReading: whether the server reads from its connections.
  package static func with<Value>(
    isReading: Bool = true, _ body: (FakeServer) async throws -> Value
  ) async throws -> Value {
    let peers = Peers()
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.autoRead, value: isReading)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { peers.add(try RawClient.bare(channel)) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let server = FakeServer(.tcp(host: "127.0.0.1", port: listener.localAddress?.port ?? 0))
    peers.server.withLock { $0 = server }
    do {
      let value = try await body(server)
      await server.close(listener)
      return value
    } catch {
      await server.close(listener)
      throw error
    }
  }

  /// The server's side of the next connection.
  package func accept() async throws -> RawClient {
    let promise = Deadline.promise(of: RawClient.self, for: "a connection")
    let peer = state.withLock { state in
      guard state.peers.isEmpty else { return state.peers.removeFirst() as RawClient? }
      state.waiters.append(promise)
      return nil
    }
    if let peer { promise.succeed(peer) }
    return try await promise.futureResult.get()
  }

  /// Opens a client connection to the server.
  package func connect(_ configuration: ClientConfiguration) async throws -> ClientConnection {
    try await ClientConnection.connect(
      to: endpoint, configuration: configuration, on: MultiThreadedEventLoopGroup.singleton,
      logger: Logger(label: "test"))
  }

  private func add(_ peer: RawClient) {
    let waiter = state.withLock { state in
      state.accepted += 1
      guard state.waiters.isEmpty else { return state.waiters.removeFirst() as EventLoopPromise<RawClient>? }
      state.peers.append(peer)
      return nil
    }
    waiter?.succeed(peer)
  }

  private func close(_ listener: any Channel) async {
    try? await listener.close()
    for peer in state.withLock(\.peers) { await peer.close() }
  }

  /// Receives accepted connections, because the server is created after the port is bound.
  private final class Peers: Sendable {
    let server = Mutex<FakeServer?>(nil)

    func add(_ peer: RawClient) { server.withLock(\.self)?.add(peer) }
  }
}

extension RawFrame {
  /// Returns the method of a request.
  package var method: String {
    get throws {
      let arena = Arena()
      return try data.withUnsafeBytes { bytes in
        String(decoding: try RequestEnvelope(decoding: bytes, in: arena).method, as: UTF8.self)
      }
    }
  }

  /// Returns the timeout of a request.
  package var timeout: Duration? {
    get throws {
      let arena = Arena()
      return try data.withUnsafeBytes { try RequestEnvelope(decoding: $0, in: arena).timeout }
    }
  }

  /// Returns the message of a request.
  package var payload: [UInt8] {
    get throws {
      let arena = Arena()
      return try data.withUnsafeBytes { Array(try RequestEnvelope(decoding: $0, in: arena).payload) }
    }
  }

  /// Returns an error response.
  package static func response(_ id: UInt32, _ error: RPCError) -> RawFrame {
    var buffer = ByteBuffer()
    buffer.writeResponseEnvelope(error: error, arena: Arena())
    return RawFrame(2, id: id, Array(buffer.readableBytesView))
  }
}
