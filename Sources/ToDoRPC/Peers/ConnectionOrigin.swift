/// The origin of a connection: the identification of its source before authentication.
package enum ConnectionOrigin: Hashable, Sendable {
  case network(NetworkAddress)
  /// The user at the other end of a Unix socket.
  case unixUser(UInt32)
}
