import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules

extension ServerMethod {
  /// The methods of `todo.v1.NotificationService`. If the server sends none, they report that notifications are off.
  static func notifications(_ access: any AccessControl) -> [ServerMethod] {
    func method<Request, Response>(
      _ method: Method<Request, Response>, isWrite: Bool = true,
      _ body: @escaping @Sendable (LocalNotificationService, OwnerID, Request) async throws -> Response
    ) -> ServerMethod {
      unary(method, access) { grant, request in
        guard let notifications = access.notifications else { throw ToDoError.notificationsOff }
        if isWrite, grant.isReadOnly { throw ToDoError.readOnly }
        let targets = try notifications.targets(of: grant)
        return .pending { try await body(targets, grant.account, request) }
      }
    }
    // A test message, or a code, takes as long as its target, so a user sends one at a time.
    let turns = OwnerTurns(concurrency: 1, waitingLimit: NotificationTarget.Limits.targets)
    let methods = [
      method(NotificationMethods.addTarget) { targets, user, target in
        guard target.kind == .email else { return try await targets.addNotificationTarget(target) }
        return try await turns.run(for: user) { try await targets.addNotificationTarget(target) }
      },
      method(NotificationMethods.listTargets, isWrite: false) { targets, _, _ in
        try await targets.notificationTargets()
      },
      method(NotificationMethods.removeTarget) { targets, _, id in try await targets.removeNotificationTarget(id) },
      method(NotificationMethods.confirmTarget) { targets, _, request in
        try await targets.confirmNotificationTarget(request.id, code: request.code)
      },
      method(NotificationMethods.testTarget) { targets, user, id in
        try await turns.run(for: user) { try await targets.testNotificationTarget(id) }
      },
    ]
    return methods.map { $0.authenticated(by: access) }
  }
}
