package import ToDoModel
import ToDoProtocol
package import ToDoRPC
import ToDoRules

/// Takes reports of where users are from programs that speak no protocol of the server, such as trackers on phones.
///
/// Nobody reads the responses of such programs. Reports are therefore taken only from users to whom reminders are sent, so that none
/// is lost.
package struct PhoneReports: Sendable {
  private let access: any AccessControl

  /// Creates a value.
  package init(_ access: any AccessControl) { self.access = access }

  /// Reports a position of the user whose token a call presents.
  ///
  /// - Throws: `RPCError` with the status and the reason, which contain nothing of the position.
  package func report(_ position: Position, _ call: CallContext) async throws {
    try await mappingErrors {
      let grant = try await access.grant(for: call)
      guard !grant.user.isEmpty else { throw ToDoError.unauthenticated }
      guard let positions = access.positions, let notifications = access.notifications,
        try await notifications.targets(of: grant).notificationTargets().contains(where: { !$0.needsConfirmation }),
        try await !positions.sharesTargets(of: grant.account)
      else { throw RPCError(.failedPrecondition, reason: "NO_TARGET", domain: RPCError.listDomain, Self.noTarget) }
      _ = try await positions.service(of: grant.account, named: grant.user).reportPosition(position)
    }
  }

  private static let noTarget =
    "your reminders are sent nowhere, or not to you alone; add a target with 'todo notify add'"
}
