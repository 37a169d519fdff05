import ToDoProtocol
import ToDoRPC

extension ServerMethod {
  /// The methods of `grpc.health.v1.Health`.
  static func health(_ health: HealthMonitor) -> [ServerMethod] {
    var check = unary(HealthMethods.check) { _, service in try health.status(of: service) }
    check.isAvailableDuringShutdown = true
    return [
      check,
      stream(HealthMethods.watch) { service, send in
        for await status in health.statuses(of: service) { try await send(status) }
      },
    ]
  }

  /// `Authenticate`, which presents credentials for the later calls of its connection.
  static func authenticate(_ access: any AccessControl) -> ServerMethod {
    var method = unary(ConnectionMethods.authenticate) { call, authorization in
      let call = authorization.map(call.presenting) ?? call
      _ = try await access.grant(for: call)
      call.setDefaultAuthorization()
    }
    method.actsOnConnection = true
    return method
  }

  /// `CancelCall`, which cancels calls of the same connection.
  static var cancelCall: ServerMethod {
    let method = ConnectionMethods.cancelCall
    return .cancellation(method.name) { bytes, arena in
      (try method.request.decode(bytes, arena), OutgoingMessage { method.response.encode((), $0) })
    }
  }
}
