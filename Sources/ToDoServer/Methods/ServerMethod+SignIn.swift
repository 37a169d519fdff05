import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules

extension ServerMethod {
  /// The methods of `todo.v1.SignInService`, or none if the server has no page.
  static func signIn(_ access: any AccessControl) -> [ServerMethod] {
    guard let links = access.signInLinks else { return [] }
    // A user's links are made one at a time, so that none exceeds their number.
    let turns = OwnerTurns(concurrency: 1, waitingLimit: SignInLink.limit)
    let create = unary(SignInMethods.createLink, access) { grant, _ in
      .pending { try await turns.run(for: grant.account) { try await links.createLink(of: grant) } }
    }
    return [create.authenticated(by: access)]
  }
}
