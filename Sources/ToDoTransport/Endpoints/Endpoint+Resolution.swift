import NIOCore

extension Endpoint {
  /// Returns the IP address of a host. Waits for the system's resolver.
  ///
  /// - Throws: an error if the name does not resolve.
  package static func address(of host: String) throws -> String {
    let address = try SocketAddress.makeAddressResolvingHost(host, port: 0)
    return address.ipAddress ?? host
  }
}
