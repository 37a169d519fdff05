import Testing

@testable import ToDoRPC

/// Which peers are proxies, and whom they speak for.
@Suite struct TrustedProxiesTests {
  private func proxies(_ networks: String...) throws -> TrustedProxies {
    TrustedProxies(networks: try networks.map { try #require(TrustedProxies.Network($0)) })
  }

  private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

  // MARK: Addresses

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1/32", "192.0.2.1", true),
    ("192.0.2.77/24", "192.0.2.255", true), ("192.0.2.0/24", "192.0.3.0", false), ("0.0.0.0/0", "203.0.113.9", true),
    ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "192.0.2.1", false), ("::/0", "2001:db8::1", true),
    ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::ffff:10.0.0.0/104", "10.1.2.3", true),
    ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
    ("2001:db8::1", "2001:db8::2", false), ("::1", "::1", true), ("0.0.0.1", "::1", false),
  ])
  func network_containsAddressesOfItsPrefix(_ network: String, _ other: String, _ isContained: Bool) throws {
    #expect(try proxies(network).contains(address(other)) == isContained)
  }

  @Test(arguments: [
    "", "unix", "localhost", "192.0.2", "192.0.2.1.", "192.0.2.256", "192.0.2.1/", "192.0.2.1/33", "192.0.2.1/-1",
    "192.0.2.1/+8", "192.0.2.1/8/8", "192.0.2.1/0008", "::1/129", "[::1]", "fe80::1%eth0", "192.0.2.1:80", " ::1",
    "::1\0",
    "192.0.2.1/٣",
  ])
  func network_whenItHasAnotherForm_isNone(_ text: String) { #expect(TrustedProxies.Network(text) == nil) }

  @Test func address_ofPeer_hasItsPrecision() throws {
    #expect(NetworkAddress(try address("192.0.2.1")) == .v4(0xC000_0201))
    #expect(NetworkAddress(try address("::ffff:192.0.2.1")) == .v4(0xC000_0201))
    #expect(NetworkAddress(try address("2001:db8::1")) == .v6(0x2001_0db8_0000_0000))
  }

  // MARK: Forwarded requests

  @Test(
    arguments: [
      ([], nil), ([""], nil), (["203.0.113.9"], "203.0.113.9"), (["203.0.113.9:4711"], "203.0.113.9"),
      (["2001:db8::9"], "2001:db8::9"), (["[2001:db8::9]"], "2001:db8::9"), (["[2001:db8::9]:4711"], "2001:db8::9"),
      (["::ffff:203.0.113.9"], "203.0.113.9"), ([" 203.0.113.9\t"], "203.0.113.9"),
      // What a client has sent comes first, and is not believed.
      (["198.51.100.1, 203.0.113.9"], "203.0.113.9"), (["198.51.100.1", "203.0.113.9"], "203.0.113.9"),
      (["198.51.100.1,203.0.113.9,10.0.0.2"], "203.0.113.9"), (["203.0.113.9", "10.0.0.2, 10.0.0.3"], "203.0.113.9"),
      (["10.0.0.1, 10.0.0.2"], "10.0.0.1"),
      // Nothing before an element that is no address is believed.
      (["203.0.113.9, unknown"], nil), (["203.0.113.9, unknown, 10.0.0.2"], "10.0.0.2"), (["203.0.113.9,"], nil),
      (["203.0.113.9 198.51.100.1"], nil), (["203.0.113.9\0"], nil), (["203.0.113.9:"], nil),
      (["203.0.113.9:x"], nil), (["203.0.113.9:123456"], nil), (["[203.0.113.9]x"], nil), (["[203.0.113.9"], nil),
      // A client can send what forms a character with the comma of the proxy, which then separates nothing.
      (["198.51.100.1\u{600}, 203.0.113.9"], "203.0.113.9"), (["203.0.113.9:\u{600}"], nil),
      (["[203.0.113.9]\u{600}"], nil), (["\u{600}"], nil),
    ] as [([String], String?)])
  func client_isLastAddressOfNoProxy(_ headers: [String], _ client: String?) throws {
    #expect(try proxies("10.0.0.0/8").client(forwarded: headers) == client.map { try address($0) })
  }

  @Test func client_ofManyProxies_isFoundInLinearTime() throws {
    let header = Array(repeating: "10.0.0.2", count: 1000).joined(separator: ",")
    #expect(try proxies("10.0.0.0/8").client(forwarded: ["203.0.113.9", header]) == address("203.0.113.9"))
  }
}
