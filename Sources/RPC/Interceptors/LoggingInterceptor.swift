package import Logging

/// Logs every call when it ends: at debug level, and at error level if it failed for a reason that clients do not receive.
package struct LoggingInterceptor: Interceptor {
  private let logger: Logger

  /// - Parameter logger: The logger of the server. Each line gets the metadata `call` and `method`.
  package init(_ logger: Logger) {
    self.logger = logger
  }

  package func intercept(_ method: ServerMethod) -> ServerMethod {
    let (logger, name) = (logger, method.name.description)
    let logsCalls = logger.logLevel <= .debug
    return method.observing { _ in
      logsCalls ? ContinuousClock.now : nil
    } end: { call, start, error in
      let status = error.map { RPCError(mapping: $0) }
      if let error, let status, status.isUnexpected(for: error) {
        logger.error("a call failed", metadata: metadata(call, name, ["error": "\(error)"]))
      }
      if let start {
        let fields: Logger.Metadata = [
          "code": "\((status?.code ?? .ok).name)", "duration": "\(start.duration(to: .now))",
        ]
        logger.debug("call ended", metadata: metadata(call, name, fields))
      }
      return status
    }

    @Sendable func metadata(_ call: CallContext, _ name: String, _ fields: Logger.Metadata) -> Logger.Metadata {
      fields.merging(["call": "\(call.id)", "method": "\(name)"]) { field, _ in field }
    }
  }
}

extension RPCError {
  /// Whether the error hides the cause of a failure from the client, so that the log must have it.
  fileprivate func isUnexpected(for cause: any Error) -> Bool { self == .internal && !(cause is RPCError) }
}
