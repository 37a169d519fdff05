/// Decides where messages may be sent, so that a user cannot reach the operator's own network through the server.
package enum AddressPolicy: Sendable {
  /// Public addresses, at the ports 80, 443 and 1024 or higher.
  case publicOnly
  /// All addresses and ports, as the operator allowed.
  case any

  /// Whether a message may be sent to a port.
  package func permits(port: Int) -> Bool {
    switch self {
    case .publicOnly: port == 80 || port == 443 || (1024...65_535).contains(port)
    case .any: (1...65_535).contains(port)
    }
  }

  /// Whether a message may be sent to an address.
  package func permits(_ address: DestinationAddress) -> Bool {
    switch self {
    case .publicOnly: address.isPublic
    case .any: true
    }
  }
}
