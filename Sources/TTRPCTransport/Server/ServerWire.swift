/// A wire on which a server offers its methods, besides ttrpc.
package protocol ServerWire: Sendable {
  /// Serves until `shutDown` has ended it, or until it is cancelled, which breaks off what is in flight.
  ///
  /// - Parameters:
  ///   - admission: what decides which connections are accepted. All wires of a server share it.
  ///   - onReady: called once, when calls are taken.
  /// - Throws: `EndpointError` when it cannot listen.
  func serve(
    _ methods: MethodTable, admission: ConnectionAdmission, onReady: @escaping @Sendable () -> Void
  ) async throws

  /// Takes no more calls, lets those in flight finish, and breaks off what is left when the grace is over.
  func shutDown(grace: Duration) async
}
