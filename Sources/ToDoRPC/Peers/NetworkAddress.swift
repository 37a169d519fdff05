package import NIOCore

/// A network address, with the precision that distinguishes one peer from another.
package enum NetworkAddress: Hashable, Sendable {
  case v4(UInt32)
  /// The first 64 bits of an IPv6 address, because a network assigns all addresses with this prefix to one subscriber.
  case v6(UInt64)

  /// Creates an address with the precision of peers.
  package init(_ address: IPAddress) {
    self = address.isV4 ? .v4(UInt32(truncatingIfNeeded: address.bits)) : .v6(UInt64(address.bits >> 64))
  }

  /// Creates a peer's address, or returns `nil` for a Unix socket.
  package init?(_ address: SocketAddress?) {
    guard let address = IPAddress(address) else { return nil }
    self.init(address)
  }
}

extension NetworkAddress: CustomStringConvertible {
  /// The address as text: `192.0.2.1`, or the prefix `2001:db8:0:0::/64`.
  package var description: String {
    switch self {
    case .v4(let number): [24, 16, 8, 0].map { String(number >> $0 & 0xFF) }.joined(separator: ".")
    case .v6(let prefix):
      [48, 32, 16, 0].map { String(prefix >> $0 & 0xFFFF, radix: 16) }.joined(separator: ":") + "::/64"
    }
  }
}
