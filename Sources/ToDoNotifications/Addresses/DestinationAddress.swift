/// An IP address to which a message is sent, or which an interface on the way has.
package enum DestinationAddress: Hashable, Sendable {
  /// An IPv4 address in host byte order.
  case v4(UInt32)
  /// The upper and the lower half of an IPv6 address in host byte order.
  case v6(UInt64, UInt64)

  /// Creates an address from the 4 or 16 bytes that packets have; `nil` for another number.
  package init?(bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    func number(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
    switch bytes.count {
    case 4: self = .v4(UInt32(number(bytes[...])))
    case 16: self = .v6(number(bytes[..<8]), number(bytes[8...]))
    default: return nil
    }
  }

  /// Whether the address is on the public Internet. It is not if a registry reserves it for another purpose, or if a
  /// translator reaches such an address through it.
  package var isPublic: Bool {
    switch self {
    case .v4(let address): !Self.reserved.contains { address >> (32 - $0.length) == $0.prefix >> (32 - $0.length) }
    case .v6(let high, let low): Self.isPublic(high, low)
    }
  }

  /// Whether this address and that of a network interface with a mask are in one network.
  func isInNetwork(of interface: DestinationAddress, mask: DestinationAddress?) -> Bool {
    switch (self, interface, mask) {
    case (.v4(let left), .v4(let right), .v4(let mask)): (left ^ right) & mask == 0
    case (.v6(let high, let low), .v6(let ownHigh, let ownLow), .v6(let maskHigh, let maskLow)):
      (high ^ ownHigh) & maskHigh == 0 && (low ^ ownLow) & maskLow == 0
    default: self == interface
    }
  }

  private static func isPublic(_ high: UInt64, _ low: UInt64) -> Bool {
    // NAT64: the last four bytes are an IPv4 address.
    if high == 0x0064_FF9B << 32, low >> 32 == 0 { return Self.v4(UInt32(truncatingIfNeeded: low)).isPublic }
    // Only 2000::/3 is assigned. This leaves out loopback, mapped, local, link-local, multicast and unspecified addresses.
    guard high >> 61 == 0b001 else { return false }
    switch high >> 32 {
    case 0x2001_0000...0x2001_01FF: return false  // Teredo, benchmarking, ORCHID and other protocols
    case 0x2001_0DB8: return false  // documentation
    case 0x2002_0000...0x2002_FFFF:  // 6to4, around an IPv4 address
      return Self.v4(UInt32(truncatingIfNeeded: high >> 16)).isPublic
    case 0x3FFF_0000...0x3FFF_0FFF: return false  // documentation
    default: return true
    }
  }

  private struct Block {
    let prefix: UInt32
    let length: UInt32

    init(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ length: UInt32) {
      (prefix, self.length) = (a << 24 | b << 16 | c << 8, length)
    }
  }

  /// The blocks of IANA's IPv4 registry for special purposes, multicast, and 168.63.129.0, which virtual machines on Azure reach as
  /// a service of their host.
  private static let reserved = [
    Block(0, 0, 0, 8), Block(10, 0, 0, 8), Block(100, 64, 0, 10), Block(127, 0, 0, 8), Block(169, 254, 0, 16),
    Block(168, 63, 129, 24), Block(172, 16, 0, 12), Block(192, 0, 0, 24), Block(192, 0, 2, 24), Block(192, 88, 99, 24),
    Block(192, 168, 0, 16),
    Block(198, 18, 0, 15), Block(198, 51, 100, 24), Block(203, 0, 113, 24), Block(224, 0, 0, 4), Block(240, 0, 0, 4),
  ]
}
