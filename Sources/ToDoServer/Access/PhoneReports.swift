package import ToDoModel
import ToDoProtocol
package import ToDoRPC
import ToDoRules

/// Takes reports of users' positions from programs that don't speak the server's protocols, such as trackers on phones.
///
/// Nobody reads the responses to such programs. Reports are therefore taken only from users who get reminders, so that none
/// is lost.
package struct PhoneReports: Sendable {
  private let access: any AccessControl

  /// Creates a value.
  package init(_ access: any AccessControl) { self.access = access }

  /// A user whose token was checked.
  package struct User: Sendable {
    fileprivate let grant: AccessGrant
  }

  /// Returns the user whose token a call presents. A wrong token counts against the connection.
  ///
  /// - Throws: `RPCError` with the status and the reason.
  package func user(of call: CallContext) async throws -> User {
    try await mappingErrors {
      let grant = try await access.grant(for: call)
      guard !grant.user.isEmpty else { throw ToDoError.unauthenticated }
      return User(grant: grant)
    }
  }

  /// Reports a position of a user.
  ///
  /// - Throws: `RPCError` with the status and the reason, which reveal nothing about the position.
  package func report(_ position: Position, of user: User) async throws {
    let grant = user.grant
    try await mappingErrors {
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
