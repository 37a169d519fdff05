import NIOCore
import ToDoRPC
package import ToDoTransport

extension ProxyHeader {
  /// The bytes of a header, whose parts a test can change.
  package struct Sample: Sendable {
    /// The version and the command: 1 on behalf of a client, 0 for the proxy itself.
    package var command: UInt8 = 0x21
    /// The address family and the transport.
    package var family: UInt8 = 0x11
    /// The addresses and ports.
    package var addresses: [UInt8] = []
    /// What follows the addresses.
    package var additions: [UInt8] = []
    /// The length in the header. By default, the length of the rest.
    package var length: Int?

    package init() {}

    /// Creates the header of a client, whose destination is the same address.
    package init(from address: String) throws {
      let socket = try SocketAddress(ipAddress: address, port: 4711)
      let bytes = socket.withSockAddr { Array(UnsafeRawBufferPointer(start: $0, count: $1)) }
      // The address in a `sockaddr_in` or a `sockaddr_in6`.
      let own = socket.protocol == .inet ? bytes[4..<8] : bytes[8..<24]
      family = own.count == 4 ? 0x11 : 0x21
      addresses = own + own + [0x12, 0x67, 0, 80]
    }

    package var bytes: [UInt8] {
      let length = length ?? addresses.count + additions.count
      return ProxyHeader.signature + [command, family, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + addresses
        + additions
    }
  }
}
