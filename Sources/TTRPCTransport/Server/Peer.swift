import NIOCore
import NIOPosix

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

  package init(unixUser: UInt32? = nil, certificateSubject: String? = nil) {
    self.unixUser = unixUser
    self.certificateSubject = certificateSubject
  }

  /// The user that this process runs as.
  package static var ownUnixUser: UInt32 { geteuid() }

  /// What the operating system says of the other end; of a network peer that is nothing.
  static func ofAccepted(_ channel: any Channel) -> EventLoopFuture<Peer> {
    guard channel.remoteAddress?.protocol == .unix || channel.localAddress?.protocol == .unix,
      let provider = channel as? any SocketOptionProvider
    else { return channel.eventLoop.makeSucceededFuture(Peer()) }
    #if canImport(Darwin)
      let credentials: EventLoopFuture<xucred> = provider.unsafeGetSocketOption(
        level: .init(rawValue: SOL_LOCAL), name: .init(rawValue: LOCAL_PEERCRED))
      return credentials.map { Peer(unixUser: $0.cr_uid) }
    #else
      let credentials: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
        level: .socket, name: .init(rawValue: SO_PEERCRED))
      return credentials.map { Peer(unixUser: $0.user) }
    #endif
  }
}

#if !canImport(Darwin)
  /// `struct ucred`, which the C library declares for GNU programs only.
  private struct Credentials: Sendable {
    var process: Int32
    var user: UInt32
    var group: UInt32
  }
#endif
