package import ToDoSupport

/// A step that a server performs around the calls of its methods, such as logging.
///
/// Interceptors are applied once a method, when the server starts: what a method needs is prepared then, and a call pays
/// for no look-up. The first interceptor of `MethodTable.init(_:interceptors:)` is the outermost: it sees a call first and
/// its outcome last. Calls that reach no method, for example because its name is unknown, pass no interceptor.
package protocol Interceptor: Sendable {
  /// Returns the method with this step around its calls.
  func intercept(_ method: ServerMethod) -> ServerMethod
}

extension ServerMethod {
  /// Returns the method with work before and after each call.
  ///
  /// - Parameters:
  ///   - start: Called before the body, on the connection's event loop.
  ///   - end: Called once, after the body, with the value of `start` and the error that ended the call. Callable from any
  ///     thread. Returns the error that the client receives.
  package func observing<Token: Sendable>(
    start: @escaping @Sendable (CallContext) -> Token,
    end: @escaping @Sendable (CallContext, Token, (any Error)?) -> (any Error)?
  ) -> ServerMethod {
    around { call, next in
      let token = start(call)
      do {
        switch try next() {
        case .ready(let response):
          _ = end(call, token, nil)
          return .ready(response)
        case .pending(let work):
          return .pending { try await Self.observe(work) { end(call, token, $0) } }
        }
      } catch {
        throw end(call, token, error) ?? error
      }
    } streaming: { call, next in
      let token = start(call)
      try await Self.observe(next) { end(call, token, $0) }
    }
  }

  /// Returns the method with its body replaced by a function that is given the body. Calls of a cancellation, which
  /// never suspend, stay as they are.
  package func around(
    unary: @escaping @Sendable (CallContext, () throws -> Lookup<OutgoingMessage>) throws -> Lookup<OutgoingMessage>,
    streaming: @escaping @Sendable (CallContext, @escaping @Sendable () async throws -> Void) async throws -> Void
  ) -> ServerMethod {
    var method = self
    switch body {
    case .unary(let body):
      method.body = .unary { bytes, arena, call in try unary(call) { try body(bytes, arena, call) } }
    case .streaming(let body):
      method.body = .streaming { bytes, arena in
        let work = try body(bytes, arena)
        return { call, incoming, outgoing in try await streaming(call) { try await work(call, incoming, outgoing) } }
      }
    case .cancellation: break
    }
    return method
  }

  private static func observe<Value>(
    _ work: () async throws -> Value, _ end: ((any Error)?) -> (any Error)?
  ) async throws -> Value {
    do {
      let value = try await work()
      _ = end(nil)
      return value
    } catch {
      throw end(error) ?? error
    }
  }
}
