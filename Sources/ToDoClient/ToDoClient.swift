public import Logging
public import NIOCore
public import NIOPosix
import ToDoProtocol
import ToDoRPC
package import ToDoTTRPCTransport
public import ToDoTransport

/// A to-do service on a server. It offers the same operations as a service in the same process, over a connection.
///
/// The first call establishes the connection. If the connection is lost, the next call establishes a new one. Calls from any
/// number of tasks share it.
///
/// - Throws: Every operation throws `ToDoError` if the service rejects the request, and `RPCError` if no response arrives:
///   with the code `unavailable` if the server cannot be reached, and `deadlineExceeded` if the timeout expires. Cancelling
///   the task of a call also cancels the server's work for the call.
///
/// ## Topics
/// ### First steps
/// - <doc:FirstSteps>
public final class ToDoClient: Sendable {
  /// The server's address.
  public let endpoint: Endpoint
  let configuration: Configuration
  let connectionManager: ConnectionManager
  /// Establishes a connection for one watch.
  let connectForWatch: @Sendable () async throws -> ClientConnection

  /// Creates a client that does not connect yet.
  ///
  /// - Parameters:
  ///   - group: The event loops that the connections run on.
  ///   - logger: Receives messages about connections.
  public init(
    endpoint: Endpoint, configuration: Configuration = Configuration(),
    group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger = Logger(label: "todo.client")
  ) {
    self.endpoint = endpoint
    self.configuration = configuration
    var transport = ClientConfiguration()
    transport.connectTimeout = configuration.connectTimeout
    transport.tls = configuration.tls
    transport.unixUsers = configuration.trustedUnixUsers
    transport.cancellation = .init(method: ConnectionMethods.cancelCall.name) { id in
      OutgoingMessage { ConnectionMethods.cancelCall.request.encode(CallSelection(stream: id.rawValue), $0) }
    }
    connectionManager = ConnectionManager(backoff: configuration.backoff) { [transport] in
      try await ClientConnection.connect(to: endpoint, configuration: transport, on: group, logger: logger)
    }
    transport.inactivityTimeout = configuration.inactivityTimeout
    connectForWatch = { [transport] in
      try await ClientConnection.connect(to: endpoint, configuration: transport, on: group, logger: logger)
    }
  }

  /// Creates a client that uses the connections that `connect` returns, for tests.
  package init(
    endpoint: Endpoint, configuration: Configuration = Configuration(),
    connect: @escaping @Sendable () async throws -> ClientConnection
  ) {
    self.endpoint = endpoint
    self.configuration = configuration
    connectionManager = ConnectionManager(backoff: configuration.backoff, connect: connect)
    connectForWatch = connect
  }

  /// Closes the connection. Calls in progress and later calls fail with the code `unavailable`.
  public func close() async {
    await connectionManager.close()
  }
}
