package import Logging
import ToDoSupport

/// Logs every call when it ends: at debug level, and at error level if it failed for a reason that clients do not receive.
package struct LoggingInterceptor: Interceptor {
  private let logger: Logger

  /// - Parameter logger: The logger of the server. Each line gets the metadata `call` and `method`.
  package init(_ logger: Logger) {
    self.logger = logger
  }

  package func intercept(_ method: ServerMethod) -> ServerMethod {
    let name = method.name.description
    guard logger.logLevel <= .debug else { return loggingFailures(of: method) }
    return method.observing { _ in
      ContinuousClock.now
    } end: { call, start, error in
      let sent = error.map { status(for: $0, of: call, name) }
      let fields: Logger.Metadata = [
        "code": "\((sent?.code ?? .ok).name)", "duration": "\(start.duration(to: .now))",
      ]
      logger.debug("call ended", metadata: metadata(call, name, fields))
      return sent
    }
  }

  /// Returns the method with the log of its failures only, for which a call that succeeds pays next to nothing.
  private func loggingFailures(of method: ServerMethod) -> ServerMethod {
    let name = method.name.description
    return method.around { call, next in
      do {
        let found = try next()
        guard case .pending(let work) = found else { return found }
        return .pending { do { return try await work() } catch { throw status(for: error, of: call, name) } }
      } catch {
        throw status(for: error, of: call, name)
      }
    } streaming: { call, next in
      do { try await next() } catch { throw status(for: error, of: call, name) }
    }
  }

  /// Returns the error that the client receives. Logs the cause if the client does not receive it.
  private func status(for error: any Error, of call: CallContext, _ name: String) -> RPCError {
    let status = RPCError(mapping: error)
    if status.isUnexpected(for: error) {
      logger.error("a call failed", metadata: metadata(call, name, ["error": "\(error)"]))
    }
    return status
  }

  private func metadata(_ call: CallContext, _ name: String, _ fields: Logger.Metadata) -> Logger.Metadata {
    fields.merging(["call": "\(call.id)", "method": "\(name)"]) { field, _ in field }
  }
}

extension RPCError {
  /// Whether the error hides the cause of a failure from the client, so that the log must have it.
  fileprivate func isUnexpected(for cause: any Error) -> Bool { self == .internal && !(cause is RPCError) }
}
