/// The proxies that an operator trusts to say on whose behalf they connect and call.
package struct TrustedProxies: Equatable, Sendable {
  /// One or several neighboring addresses: `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`.
  package struct Network: Equatable, Sendable {
    private let address: IPAddress
    /// The number of bits after the prefix.
    private let suffixLength: Int

    /// Parses an address, or an address and the number of bits of its prefix. Returns `nil` if the text has another form.
    package init?(_ text: String) {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let address = IPAddress(parts[0]) else { return nil }
      // An IPv4 address in the form of IPv6 has the bits of IPv6.
      let length = parts[0].contains(":") ? 128 : 32
      self.address = address
      guard parts.count == 2 else {
        suffixLength = 0
        return
      }
      guard (1...3).contains(parts[1].utf8.count), parts[1].allSatisfy({ ("0"..."9").contains($0) }),
        let bits = Int(parts[1]), bits <= length
      else { return nil }
      suffixLength = length - bits
    }

    func contains(_ other: IPAddress) -> Bool {
      // A shift by all bits is 0.
      other.isV4 == address.isV4 && other.bits >> suffixLength == address.bits >> suffixLength
    }
  }

  /// The addresses of proxies.
  package var networks: [Network]
  /// Whether whoever may open the server's Unix sockets is a proxy.
  package var includesUnixSockets: Bool

  /// Creates a set of proxies, by default an empty one.
  package init(networks: [Network] = [], includesUnixSockets: Bool = false) {
    self.networks = networks
    self.includesUnixSockets = includesUnixSockets
  }

  /// Whether there are none.
  package var isEmpty: Bool { networks.isEmpty && !includesUnixSockets }

  /// Whether a proxy has an address.
  package func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

  /// Returns the client on whose behalf a proxy has forwarded a request, or `nil` if the proxy does not say.
  ///
  /// Each proxy appends the address that it was called from, and the client can send the header itself. The client is
  /// therefore the last address that is not a proxy's. If all are proxies', it is the first of them.
  ///
  /// - Parameter headers: the values of `x-forwarded-for`, in their order.
  package func client(forwarded headers: some BidirectionalCollection<String>) -> IPAddress? {
    var client: IPAddress?
    for header in headers.reversed() {
      for element in header.split(separator: ",", omittingEmptySubsequences: false).reversed() {
        guard let address = IPAddress(forwarded: element) else { return client }
        client = address
        if !contains(address) { return client }
      }
    }
    return client
  }
}

extension IPAddress {
  /// Parses an element of `x-forwarded-for`: an address, perhaps in brackets, perhaps with a port.
  fileprivate init?(forwarded element: Substring) {
    let text = element.trimmingPrefix { $0 == " " || $0 == "\t" }
    let end = text.lastIndex { $0 != " " && $0 != "\t" }.map { text.index(after: $0) } ?? text.startIndex
    let address = text[..<end]
    if address.hasPrefix("[") {
      self.init(address.dropFirst().prefix { $0 != "]" })
    } else if address.contains(".") {
      // Also the port of an IPv4 address; IPv6 with a dotted end has more than one colon.
      let colons = address.utf8.count { $0 == UInt8(ascii: ":") }
      self.init(colons == 1 ? address.prefix { $0 != ":" } : address)
    } else {
      self.init(address)
    }
  }
}
