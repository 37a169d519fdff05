#if GRPC || HTTP
package import Logging
import Synchronization
package import ToDoRPC

/// The state that all calls of a listener share: the methods by name, the limits, and the shutdown flag.
package final class CallServices: Sendable {
  /// The limits of calls.
  package let limits: ServerLimits
  /// Whether the server is shutting down.
  package let shutdownFlag: ShutdownFlag
  /// Receives messages about calls.
  package let logger: Logger
  private let methods: [String: [String: ServerMethod]]

  /// Creates the shared state.
  ///
  /// - Parameter methods: the methods of the server. Methods that act on a ttrpc connection are omitted.
  package init(_ methods: [ServerMethod], limits: ServerLimits, shutdownFlag: ShutdownFlag, logger: Logger) {
    var table: [String: [String: ServerMethod]] = [:]
    for method in methods where method.isOfferedWithoutConnection {
      table[method.name.service, default: [:]][method.name.method] = method
    }
    self.methods = table
    self.limits = limits
    self.shutdownFlag = shutdownFlag
    self.logger = logger
  }

  /// Returns a method by the full name of its service and its own.
  package subscript(service: String, method: String) -> ServerMethod? { methods[service]?[method] }

  /// The full names of the methods.
  package var names: Set<String> {
    Set(methods.flatMap { service, methods in methods.keys.map { "\(service).\($0)" } })
  }
}

extension ServerMethod {
  /// Whether clients of protocols other than ttrpc can call the method.
  package var isOfferedWithoutConnection: Bool { !actsOnConnection }

  /// Whether the method has a stream of messages.
  package var isStreaming: Bool {
    if case .streaming = body { true } else { false }
  }
}

/// Whether a server is shutting down. Callable from any thread.
package final class ShutdownFlag: Sendable {
  private let flag = Atomic(false)

  /// Creates a flag that is not set.
  package init() {}

  /// Whether the shutdown has begun.
  package var isSet: Bool { flag.load(ordering: .acquiring) }

  /// Begins the shutdown.
  package func set() { flag.store(true, ordering: .releasing) }
}
#endif
