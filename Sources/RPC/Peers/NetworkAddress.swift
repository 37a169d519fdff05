package import NIOCore

/// Where connections come from, as far as one peer can be told from another.
package enum NetworkAddress: Hashable, Sendable {
  case v4(UInt32)
  /// The first 64 bits: whoever has one of these addresses has all of them.
  case v6(UInt64)

  /// `nil` for a Unix socket.
  package init?(_ address: SocketAddress?) {
    guard let address else { return nil }
    let bytes = address.withSockAddr { Array(UnsafeRawBufferPointer(start: $0, count: $1)) }
    func number(at offset: Int, count: Int) -> UInt64 {
      bytes.dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }
    switch address.protocol {
    // Where the address lies in a sockaddr_in, after the family and the port.
    case .inet: self = .v4(UInt32(number(at: 4, count: 4)))
    // In a sockaddr_in6 the flow label is before it. An IPv4 address as a socket for both sees it is one.
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
