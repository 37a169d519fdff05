/// A listener that serves a server's methods over a protocol other than ttrpc.
package protocol RPCListener: Sendable {
  /// Serves until `shutDown` completes, or until its task is canceled, which ends calls in flight.
  ///
  /// - Parameters:
  ///   - limiter: decides which connections are accepted. All listeners of a server share it.
  ///   - onReady: called once, when the listener accepts calls.
  /// - Throws: `EndpointError` if it cannot listen.
  func serve(
    _ methods: MethodTable, limiter: ConnectionLimiter, onReady: @escaping @Sendable () -> Void
  ) async throws

  /// Stops accepting calls, waits for calls in flight, and ends the remaining calls after the grace period.
  func shutDown(grace: Duration) async
}
