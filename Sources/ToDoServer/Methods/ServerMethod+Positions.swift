import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules

extension ServerMethod {
  /// The methods of `todo.v1.PositionService`, or none if the server takes no reports.
  ///
  /// Read-only credentials are sufficient, so that a phone needs no others.
  static func positions(_ access: any AccessControl) -> [ServerMethod] {
    guard let positions = access.positions else { return [] }
    let report = unary(PositionMethods.reportPosition, access) { grant, position in
      .pending { try await positions.service(of: grant.account, named: grant.user).reportPosition(position) }
    }
    return [report.authenticated(by: access)]
  }
}
