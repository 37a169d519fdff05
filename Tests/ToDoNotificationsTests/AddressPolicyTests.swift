import Glibc
import Testing

@testable import ToDoNotifications

/// The addresses and ports to which messages may be sent.
@Suite struct AddressPolicyTests {
  private func address(_ text: String) throws -> DestinationAddress {
    var (v4, v6) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &v4) == 1 {
      return try #require(withUnsafeBytes(of: v4) { DestinationAddress(bytes: $0) })
    }
    try #require(inet_pton(AF_INET6, text, &v6) == 1)
    return try #require(withUnsafeBytes(of: v6) { DestinationAddress(bytes: $0) })
  }

  @Test(
    arguments: [
      ("5.6.7.8", "5.6.7.9", "255.255.255.0", true), ("5.6.7.8", "5.6.8.8", "255.255.255.0", false),
      ("5.6.7.8", "5.6.7.8", "255.255.255.255", true), ("5.6.7.8", "5.6.7.9", nil, false),
      ("5.6.7.8", "5.6.7.8", nil, true),
      ("2606:4700::1", "2606:4700::2:1", "ffff:ffff:ffff:ffff::", true),
      ("2606:4700::1", "2606:4700:0:1::1", "ffff:ffff:ffff:ffff::", false), ("5.6.7.8", "2606:4700::1", nil, false),
    ] as [(String, String, String?, Bool)])
  func address_isInNetworkOfInterface(_ own: String, _ text: String, _ mask: String?, _ isInside: Bool) throws {
    #expect(try address(text).isInNetwork(of: address(own), mask: mask.map { try address($0) }) == isInside)
  }

  @Test(arguments: [
    "0.0.0.0", "0.255.255.255", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
    "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1",
    "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250",
    "240.0.0.1", "255.255.255.255",
  ])
  func specialIPv4Address_isNotPublic(_ text: String) throws {
    #expect(try !address(text).isPublic)
  }

  @Test(arguments: [
    "::", "::1", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::8.8.8.8", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b:1::808:808", "100::1", "2001::1", "2001:2::1", "2001:10::1", "2001:1ff::1", "2001:db8::1",
    "2002:a00:1::1", "2002:7f00:1::1", "3fff::1", "3fff:fff::1", "fc00::1", "fdff::1", "fe80::1", "febf::1",
    "fec0::1", "ff02::1", "4000::1",
  ])
  func specialIPv6Address_isNotPublic(_ text: String) throws {
    #expect(try !address(text).isPublic)
  }

  @Test(arguments: [
    "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
    "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.255.255", "192.169.0.0", "198.17.255.255",
    "198.20.0.0", "223.255.255.255", "2001:200::1", "2001:db7::1", "2001:db9::1", "2002:808:808::1", "2606:4700::1111",
    "2a00::1", "3ffe::1", "3fff:1000::1", "64:ff9b::8.8.8.8",
  ])
  func otherAddress_isPublic(_ text: String) throws {
    #expect(try address(text).isPublic)
  }

  @Test func bytes_whenNotThoseOfAnAddress_areRefused() {
    #expect(DestinationAddress(bytes: []) == nil)
    #expect(DestinationAddress(bytes: [1, 2, 3, 4, 5]) == nil)
  }

  @Test func policy_limitsPortsAndAddresses_unlessAllAreAllowed() throws {
    for port in [80, 443, 1024, 8080, 65_535] { #expect(AddressPolicy.publicOnly.permits(port: port)) }
    for port in [-1, 0, 1, 22, 25, 79, 81, 442, 444, 1023, 65_536] {
      #expect(!AddressPolicy.publicOnly.permits(port: port))
    }
    #expect(AddressPolicy.any.permits(port: 22) && !AddressPolicy.any.permits(port: 0))
    let loopback = try address("127.0.0.1")
    #expect(AddressPolicy.any.permits(loopback) && !AddressPolicy.publicOnly.permits(loopback))
  }
}
