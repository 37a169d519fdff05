import Glibc
package import NIOCore

/// An IPv4 or IPv6 address. An IPv4 address in the form of IPv6 (`::ffff:192.0.2.1`) equals the IPv4 address.
package struct IPAddress: Hashable, Sendable {
  /// The 128 bits in the form of IPv6.
  let bits: UInt128

  /// The bits in front of an IPv4 address.
  private static let v4Prefix: UInt128 = 0xFFFF << 32

  /// Whether this is an IPv4 address.
  var isV4: Bool { bits >> 32 == 0xFFFF }

  /// Creates an address of 4 or 16 bytes. Returns `nil` for another number of bytes.
  package init?(bytes: some Collection<UInt8>) {
    let number = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    switch bytes.count {
    case 4: bits = Self.v4Prefix | number
    case 16: bits = number
    default: return nil
    }
  }

  /// Parses an address without a port, brackets or a zone.
  package init?(_ text: some StringProtocol) {
    var bytes = [UInt8](repeating: 0, count: 16)
    let text = String(text)
    guard !text.utf8.contains(0) else { return nil }
    if inet_pton(AF_INET, text, &bytes) == 1 {
      self.init(bytes: bytes.prefix(4))
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      self.init(bytes: bytes)
    } else {
      return nil
    }
  }

  /// Creates a peer's address, or returns `nil` for a Unix socket.
  package init?(_ address: SocketAddress?) {
    guard let address else { return nil }
    let bytes = address.withSockAddr { Array(UnsafeRawBufferPointer(start: $0, count: $1)) }
    switch address.protocol {
    // The address in a `sockaddr_in`, after the family and the port.
    case .inet: self.init(bytes: bytes.dropFirst(4).prefix(4))
    // In a `sockaddr_in6` the flow label precedes the address.
    case .inet6: self.init(bytes: bytes.dropFirst(8).prefix(16))
    default: return nil
    }
  }
}
