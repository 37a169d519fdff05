#if HTTP
package import Logging
package import NIOCore
import NIOPosix
import Synchronization
package import ToDoRPC
package import ToDoTransport

/// Serves a server's methods over HTTP at one endpoint, with the Connect protocol, and other endpoints beside them.
package final class HTTPListener: RPCListener {
  /// The configuration of a listener.
  package struct Configuration: Sendable {
    /// The address to listen on, with or without TLS.
    package var endpoint: Endpoint
    /// The limits of connections and calls. The maximum length of a message is that of a ttrpc frame's data.
    package var limits = ServerLimits()
    /// The TLS configuration of a `tls://` endpoint.
    package var tls: ServerTLS?
    /// Whether every local user may open the file of a `unix://` endpoint, instead of only the process's own user.
    package var opensSocket = false
    /// The sockets that a service manager has opened.
    package var inheritedSockets = InheritedSockets.none
    /// The origins of web pages that may call the server from browsers, as `https://HOST` or `https://HOST:PORT`.
    package var origins: Set<String> = []
    /// What is served beside the methods.
    package var endpoints: [any HTTPEndpoint] = []

    /// Creates a configuration with default limits.
    package init(endpoint: Endpoint) {
      self.endpoint = endpoint
    }
  }

  private let configuration: Configuration
  private let group: any EventLoopGroup
  private let logger: Logger
  private let onBound: @Sendable (Endpoint) -> Void
  private let connections = ConnectionSet()
  private let end = AsyncStream<Never>.makeStream()
  private let listening = Mutex<(any Channel)?>(nil)

  /// Creates a listener.
  ///
  /// - Parameter onBound: called once, with the bound endpoint and its actual port.
  package init(
    _ configuration: Configuration, on group: any EventLoopGroup, logger: Logger,
    onBound: @escaping @Sendable (Endpoint) -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.group = group
    self.logger = logger
    self.onBound = onBound
  }

  package func serve(
    _ methods: MethodTable, limiter: ConnectionLimiter, onReady: @escaping @Sendable () -> Void
  ) async throws {
    onBound(configuration.endpoint)
    onReady()
    for await _ in end.stream {}
    await connections.drain(grace: .zero)
  }

  package func shutDown(grace: Duration) async {
    try? await listening.withLock(\.self)?.close()
    await connections.drain(grace: grace)
    end.continuation.finish()
  }
}
#endif
