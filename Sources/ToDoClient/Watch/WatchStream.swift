import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTTRPCTransport

/// A watch of items on the stream of one connection to a server, which it closes when it is released.
final class WatchStream: WatchAttempt {
  private let stream: ConnectionStream<WatchMessage>
  private var order: WatchOrder
  private var assembler: WatchEventAssembler

  /// Calls WatchItems on a connection that the stream takes over.
  ///
  /// - Parameter limit: The maximum size of a snapshot, and of one revision's changes, as in `ReceiveBudget`.
  /// - Throws: `RPCError`.
  init(
    _ request: Scoped<WatchRequest>, over connection: ClientConnection, _ metadata: Metadata, limit: Int
  ) throws {
    stream = try ConnectionStream(ToDoMethods.watchItems, request, over: connection, metadata)
    order = WatchOrder(from: request.request.start, limit: limit)
    assembler = WatchEventAssembler(from: request.request.start)
  }

  /// - Throws: `RPCError`, also when the stream ends; `CancellationError`.
  func next() async throws -> WatchInput {
    let message = try await stream.next()
    try order.receive(message)
    return assembler.receive(message).map(WatchInput.event) ?? .partial
  }
}
