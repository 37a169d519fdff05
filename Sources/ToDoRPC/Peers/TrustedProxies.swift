/// The proxies that an operator trusts to name the clients on whose behalf they connect and call.
package struct TrustedProxies: Equatable, Sendable {
  /// One or several neighboring addresses: `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`.
  package struct Network: Equatable, Sendable {
    private let address: IPAddress
    /// The number of bits after the prefix.
    private let suffixLength: Int

    /// Parses an address, or an address with a prefix length in bits. Returns `nil` if the text has another form.
    package init?(_ text: String) {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let address = IPAddress(parts[0]) else { return nil }
      // An IPv4 address in IPv6 form has the bits of IPv6.
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
  /// Whether all who may open the server's Unix sockets are proxies.
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

  /// Returns the client on whose behalf a proxy has forwarded a request, or `nil` if the proxy names none or its text is not an
  /// address.
  ///
  /// Each proxy appends the address that it was called from, and the client can send the header itself. The client is
  /// therefore the last address that is not a proxy's. If all are proxies', it is the first of them.
  ///
  /// - Parameter headers: the values of `x-forwarded-for`, in their order.
  package func client(forwarded headers: some BidirectionalCollection<String>) -> IPAddress? {
    var client: IPAddress?
    for header in headers.reversed() {
      // Bytes, because a client can join characters with the text that the proxy appends.
      for element in header.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).reversed() {
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
  fileprivate init?(forwarded element: Substring.UTF8View) {
    guard element.allSatisfy({ $0 < 0x80 }) else { return nil }
    let text = Substring(element).trimming { $0 == " " || $0 == "\t" }
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]"), text[end...].dropFirst().isPort else { return nil }
      self.init(text[..<end].dropFirst())
    } else if text.contains("."), text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 {
      // The port of an IPv4 address; IPv6 with a dotted end has more than one colon.
      let address = text.prefix { $0 != ":" }
      guard text[address.endIndex...].isPort else { return nil }
      self.init(address)
    } else {
      self.init(text)
    }
  }
}

extension Substring {
  fileprivate func trimming(_ isSpace: (Character) -> Bool) -> Substring {
    let text = drop(while: isSpace)
    return text[..<(text.lastIndex { !isSpace($0) }.map { text.index(after: $0) } ?? text.startIndex)]
  }

  /// Whether the text is empty, or a colon and a number.
  fileprivate var isPort: Bool {
    isEmpty || hasPrefix(":") && (1...5).contains(utf8.count - 1) && dropFirst().allSatisfy { ("0"..."9").contains($0) }
  }
}
