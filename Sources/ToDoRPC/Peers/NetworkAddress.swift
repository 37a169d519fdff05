package import NIOCore

/// A network address, with the precision that distinguishes one peer from another.
package enum NetworkAddress: Hashable, Sendable {
  case v4(UInt32)
  /// The first 64 bits of an IPv6 address, because a network assigns all addresses with this prefix to one subscriber.
  case v6(UInt64)

  /// Creates the address of a peer, or returns `nil` for a Unix socket.
  package init?(_ address: SocketAddress?) {
    guard let address else { return nil }
    let bytes = address.withSockAddr { Array(UnsafeRawBufferPointer(start: $0, count: $1)) }
    func number(at offset: Int, count: Int) -> UInt64 {
      bytes.dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }
    switch address.protocol {
    // The address in a `sockaddr_in`, after the family and the port.
    case .inet: self = .v4(UInt32(number(at: 4, count: 4)))
    // In a `sockaddr_in6` the flow label precedes the address. This is an IPv4 address on a socket for both families.
    case .inet6 where number(at: 8, count: 8) == 0 && number(at: 16, count: 4) == 0xFFFF:
      self = .v4(UInt32(number(at: 20, count: 4)))
    case .inet6: self = .v6(number(at: 8, count: 8))
    default: return nil
    }
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
