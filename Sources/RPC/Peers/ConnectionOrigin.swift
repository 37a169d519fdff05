/// The source of a connection, as far as the server can tell one source from another before authentication.
package enum ConnectionOrigin: Hashable, Sendable {
  case network(NetworkAddress)
  /// The user at the other end of a Unix socket.
  case unixUser(UInt32)
}
