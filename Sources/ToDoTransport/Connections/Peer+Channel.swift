import Glibc
package import NIOCore
import NIOPosix
package import ToDoRPC

extension Peer {
  /// Returns the peer of an accepted connection as the operating system reports it: its Unix user or its network address.
  ///
  /// - Parameter proxies: the proxies that the peer can be one of.
  package static func ofAccepted(
    _ channel: any Channel, trusting proxies: TrustedProxies = TrustedProxies()
  ) -> EventLoopFuture<Peer> {
    guard channel.remoteAddress?.protocol == .unix || channel.localAddress?.protocol == .unix,
      let provider = channel as? any SocketOptionProvider
    else { return channel.eventLoop.makeSucceededFuture(Peer(channel.remoteAddress, trusting: proxies)) }
    let credentials: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
      level: .socket, name: .init(rawValue: SO_PEERCRED))
    return credentials.map { Peer(unixUser: $0.user, isProxy: proxies.includesUnixSockets) }
  }
}

/// `struct ucred`, which the C library declares for GNU programs only.
private struct Credentials: Sendable {
  var process: Int32
  var user: UInt32
  var group: UInt32
}
