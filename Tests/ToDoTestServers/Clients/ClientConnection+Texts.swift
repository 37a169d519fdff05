import Logging
import NIOPosix
import ToDoProtocol
import ToDoRPC
import ToDoTTRPC
package import ToDoTTRPCTransport

/// Calls of the `TestMethods`.
extension ClientConnection {
  package func call(_ method: String, _ text: String, timeout: Duration? = nil) async throws -> String {
    try await call(
      TestMethods.name(method), TestMethods.message(text), timeout: timeout, decode: TestMethods.decode)
  }

  package func stream(_ method: String, _ text: String, timeout: Duration? = nil) throws -> ResponseStream<String> {
    try stream(TestMethods.name(method), TestMethods.message(text), timeout: timeout, decode: TestMethods.decode)
  }

  package func exchange(_ method: String, _ text: String, timeout: Duration? = nil) throws -> CallExchange<String> {
    try exchange(TestMethods.name(method), TestMethods.message(text), timeout: timeout, decode: TestMethods.decode)
  }
}

extension TestServer {
  /// Opens a connection that supports canceling calls.
  package func connect(_ configuration: ClientConfiguration = ClientConfiguration()) async throws -> ClientConnection {
    var configuration = configuration
    configuration.cancellation = .init(method: ConnectionMethods.cancelCall.name) { id in
      OutgoingMessage { ConnectionMethods.cancelCall.request.encode(CallSelection(stream: id.rawValue), $0) }
    }
    return try await ClientConnection.connect(
      to: endpoint, configuration: configuration, on: MultiThreadedEventLoopGroup.singleton,
      logger: Logger(label: "test"))
  }
}
