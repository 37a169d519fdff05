import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTTRPCTransport

/// A watch on the stream of one connection to a server, which it closes when it is released.
final class WatchStream: WatchAttempt {
  private let connection: ClientConnection
  private var messages: ResponseStream<WatchMessage>.AsyncIterator
  private var order: WatchOrder
  private var assembler: WatchEventAssembler

  /// Calls WatchItems on a connection that the stream takes over.
  ///
  /// - Parameter limit: The maximum size of a snapshot and of the changes of one revision, as in `ReceiveBudget`.
  /// - Throws: `RPCError`.
  init(
    from start: WatchStart, _ state: ItemState, over connection: ClientConnection, _ metadata: Metadata, limit: Int
  ) throws {
    let method = ToDoMethods.watchItems
    let request = Scoped(WatchRequest(start: start, state: state))
    do {
      let messages = try connection.stream(
        method.name, OutgoingMessage { method.request.encode(request, $0) }, metadata: metadata,
        decode: method.response.decode)
      self.messages = messages.makeAsyncIterator()
    } catch {
      connection.closeSoon()
      throw error
    }
    self.connection = connection
    order = WatchOrder(from: start, limit: limit)
    assembler = WatchEventAssembler(from: start)
  }

  deinit {
    connection.closeSoon()
  }

  /// - Throws: `RPCError`, also when the stream ends; `CancellationError`.
  func next() async throws -> WatchInput {
    var messages = messages
    let message = try await messages.next()
    self.messages = messages
    if let message { try order.receive(message) }
    try Task.checkCancellation()
    guard let message else { throw RPCError.unavailable("the server ended the watch", isUnsent: false) }
    return assembler.receive(message).map(WatchInput.event) ?? .partial
  }
}
