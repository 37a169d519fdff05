import ToDoRPC

/// The cached access grant of a connection.
final class CachedAccess: Sendable {
  /// The value of the metadata key `authorization` that the grant was resolved for.
  let authorization: String?
  let grant: AccessGrant
  /// The epoch of the grant monitor in which the grant was resolved.
  let epoch: Int

  init(authorization: String?, grant: AccessGrant, epoch: Int) {
    self.authorization = authorization
    self.grant = grant
    self.epoch = epoch
  }

  /// Whether the connection has presented credentials. A caller without any remains unauthenticated, even if the policy gives
  /// it access.
  func isAuthenticated(_ connection: CallConnection) -> Bool { authorization != nil || connection.peer.isIdentified }
}
