#if Nominatim
package import NIOCore

/// A POST request.
package struct HTTPClientRequest: Equatable, Sendable {
  /// A header besides those that the client adds: `Host`, `User-Agent`, `Content-Length`, `Connection`.
  package struct Header: Equatable, Sendable {
    /// The name.
    package let name: String
    /// The value.
    package let value: String

    /// Creates a header.
    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// The absolute URL, with the scheme `http` or `https`.
  package var url: String
  /// The headers.
  package var headers: [Header]
  /// The body.
  package var body: [UInt8]

  /// Creates a request.
  package init(url: String, headers: [Header], body: [UInt8]) {
    (self.url, self.headers, self.body) = (url, headers, body)
  }
}

/// The ports and addresses to which a caller permits connections.
package struct HTTPDestinations: Sendable {
  /// Whether a port is permitted.
  let permitsPort: @Sendable (Int) -> Bool
  /// Whether an address is permitted.
  let permitsAddress: @Sendable (SocketAddress) -> Bool

  /// Creates destinations.
  package init(
    port: @escaping @Sendable (Int) -> Bool, address: @escaping @Sendable (SocketAddress) -> Bool
  ) {
    (permitsPort, permitsAddress) = (port, address)
  }
}
#endif
