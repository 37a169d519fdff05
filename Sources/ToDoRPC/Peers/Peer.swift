import Glibc
package import NIOCore

/// The peer of an accepted connection, as identified by the connection itself.
package struct Peer: Equatable, Sendable {
  /// The Unix user of the peer's process, for a Unix socket.
  package var unixUser: UInt32?
  /// The subject of the client certificate that TLS verified: a distinguished name in the format of RFC 4514, for
  /// example `CN=anna,O=Home`.
  package var certificateSubject: String?

  /// The expiry of the client certificate, in seconds since 1970.
  package var certificateExpiry: Int64?
  /// The peer's network address; `nil` for a Unix socket.
  package var address: NetworkAddress?
  /// Whether the peer is a proxy that the operator trusts to name the client on whose behalf it calls.
  package var isProxy: Bool

  /// Creates a peer.
  package init(
    unixUser: UInt32? = nil, certificateSubject: String? = nil, certificateExpiry: Int64? = nil,
    address: NetworkAddress? = nil, isProxy: Bool = false
  ) {
    self.unixUser = unixUser
    self.certificateSubject = certificateSubject
    self.certificateExpiry = certificateExpiry
    self.address = address
    self.isProxy = isProxy
  }

  /// Creates the peer at a network address.
  package init(_ address: SocketAddress?, trusting proxies: TrustedProxies) {
    let address = IPAddress(address)
    self.init(address: address.map(NetworkAddress.init), isProxy: address.map(proxies.contains) ?? false)
  }

  /// Whether the connection itself identifies the caller, by a certificate or a Unix user.
  package var isIdentified: Bool { certificateSubject != nil || unixUser != nil }

  /// The user that this process runs as.
  package static var ownUnixUser: UInt32 { geteuid() }
}
