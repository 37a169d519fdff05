#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The other end of an accepted connection, as far as the connection itself tells.
package struct Peer: Equatable, Sendable {
  /// The user whose program it is, when it is on this machine and came over a Unix socket.
  package var unixUser: UInt32?
  /// Whom its certificate is for, when TLS has verified one: a distinguished name as RFC 4514 writes it, `CN=anna,O=Home`.
  package var certificateSubject: String?

  /// When its certificate expires, in seconds since 1970.
  package var certificateExpiry: Int64?
  /// The network address that it connected from; `nil` for a Unix socket.
  package var address: NetworkAddress?

  package init(
    unixUser: UInt32? = nil, certificateSubject: String? = nil, certificateExpiry: Int64? = nil,
    address: NetworkAddress? = nil
  ) {
    self.unixUser = unixUser
    self.certificateSubject = certificateSubject
    self.certificateExpiry = certificateExpiry
    self.address = address
  }

  /// Whether the connection itself identifies the caller, by a certificate or a Unix user.
  package var isIdentified: Bool { certificateSubject != nil || unixUser != nil }

  /// The user that this process runs as.
  package static var ownUnixUser: UInt32 { geteuid() }
}
