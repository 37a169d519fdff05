#if GRPC
import Logging
import Synchronization
import ToDoRPC

/// The state that all calls of a listener share: the methods by name, the limits, and the shutdown flag.
final class CallServices: Sendable {
  let limits: ServerLimits
  let shutdownFlag: ShutdownFlag
  let logger: Logger
  private let methods: [String: [String: ServerMethod]]

  /// Creates the shared state.
  ///
  /// - Parameter methods: the methods of the server. Methods that act on a ttrpc connection are omitted.
  init(_ methods: [ServerMethod], limits: ServerLimits, shutdownFlag: ShutdownFlag, logger: Logger) {
    var table: [String: [String: ServerMethod]] = [:]
    for method in methods where method.isOfferedOverGRPC {
      table[method.name.service, default: [:]][method.name.method] = method
    }
    self.methods = table
    self.limits = limits
    self.shutdownFlag = shutdownFlag
    self.logger = logger
  }

  subscript(service: String, method: String) -> ServerMethod? { methods[service]?[method] }

  /// The full names of the methods.
  var names: Set<String> {
    Set(methods.flatMap { service, methods in methods.keys.map { "\(service).\($0)" } })
  }
}

extension ServerMethod {
  /// Whether gRPC clients can call the method.
  var isOfferedOverGRPC: Bool { !actsOnConnection }

  var isStreaming: Bool {
    if case .streaming = body { true } else { false }
  }
}

/// Whether a server is shutting down. Callable from any thread.
final class ShutdownFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}
#endif
