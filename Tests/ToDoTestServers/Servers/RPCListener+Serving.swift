#if GRPC || HTTP
import NIOCore
import ToDoRPC
import ToDoTransport

extension RPCListener {
  /// Serves during `body`, which receives the endpoint that `bound` gets when the listener listens.
  func serve<Value>(
    _ methods: MethodTable, limiter: ConnectionLimiter, _ bound: EventLoopPromise<Endpoint>,
    during body: (Endpoint) async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        do { try await serve(methods, limiter: limiter) {} } catch {
          bound.fail(error)
          throw error
        }
      }
      let endpoint = try await bound.futureResult.get()
      do {
        let value = try await body(endpoint)
        await shutDown(grace: .zero)
        try await group.waitForAll()
        return value
      } catch {
        await shutDown(grace: .zero)
        throw error
      }
    }
  }
}
#endif
