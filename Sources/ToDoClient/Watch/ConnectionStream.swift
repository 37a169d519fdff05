import ToDoProtocol
import ToDoRPC
import ToDoTTRPCTransport

/// A stream that has its own connection, which it closes when it is released.
final class ConnectionStream<Response: Sendable> {
  private let connection: ClientConnection
  private var messages: ResponseStream<Response>.AsyncIterator

  /// Calls a method on a connection that the stream takes over.
  ///
  /// - Throws: `RPCError`.
  init<Request>(
    _ method: Method<Request, Response>, _ request: Request, over connection: ClientConnection, _ metadata: Metadata
  ) throws {
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
  }

  deinit {
    connection.closeSoon()
  }

  /// - Throws: `RPCError`, also when the stream ends; `CancellationError`.
  func next() async throws -> Response {
    var messages = messages
    let message = try await messages.next()
    self.messages = messages
    try Task.checkCancellation()
    guard let message else { throw RPCError.unavailable("the server ended the watch", isUnsent: false) }
    return message
  }
}
