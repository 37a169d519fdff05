import NIOCore
import Testing
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoTransport

/// The bytes of the PROXY protocol.
@Suite struct ProxyHeaderTests {
  private func read(_ bytes: [UInt8]) throws -> ProxyHeader.Start {
    try ProxyHeader.read(ByteBuffer(bytes: bytes).readableBytesView)
  }

  private func header(_ bytes: [UInt8]) throws -> ProxyHeader? {
    guard case .complete(let header, let length) = try read(bytes + [0x0D]) else { return nil }
    #expect(length == bytes.count)
    return header
  }

  private func sample(_ change: (inout ProxyHeader.Sample) -> Void) throws -> [UInt8] {
    var sample = try ProxyHeader.Sample(from: "203.0.113.9")
    change(&sample)
    return sample.bytes
  }

  // An example that was written down from the specification, not by `Sample`.
  @Test func header_asSpecified_namesClient() throws {
    let bytes: [UInt8] = [
      0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, 0x21, 0x11, 0x00, 0x0C, 203, 0, 113, 9,
      192,
      0, 2, 1, 0x12, 0x67, 0x00, 0x50,
    ]
    #expect(try header(bytes) == ProxyHeader(isProxied: true, source: IPAddress("203.0.113.9")))
    #expect(try ProxyHeader.Sample(from: "203.0.113.9").bytes.count == bytes.count)
  }

  @Test(arguments: ["203.0.113.9", "2001:db8::9", "::ffff:203.0.113.9"])
  func header_ofAddress_namesClient(_ address: String) throws {
    let expected = ProxyHeader(isProxied: true, source: IPAddress(address))
    #expect(try header(ProxyHeader.Sample(from: address).bytes) == expected)
  }

  @Test func header_withAdditions_isSkipped() throws {
    for count in [1, 3, 536] {
      let bytes = try sample { $0.additions = [UInt8](repeating: 0xFF, count: count) }
      #expect(try header(bytes)?.source == IPAddress("203.0.113.9"))
    }
  }

  @Test func header_ofHealthCheck_namesNoClient() throws {
    let local = ProxyHeader(isProxied: false, source: nil)
    #expect(try header(sample { $0.command = 0x20 }) == local)
    #expect(try header(sample { ($0.command, $0.family, $0.addresses) = (0x20, 0, []) }) == local)
  }

  @Test func header_ofUnknownClient_namesNone() throws {
    let unknown = ProxyHeader(isProxied: true, source: nil)
    #expect(try header(sample { ($0.family, $0.addresses) = (0, []) }) == unknown)
    let paths = [UInt8](repeating: 0x2F, count: 216)
    #expect(try header(sample { ($0.family, $0.addresses) = (0x31, paths) }) == unknown)
  }

  @Test func header_whileItArrives_isIncomplete() throws {
    let bytes = try sample { $0.additions = [4, 0, 1, 0] }
    for count in 0..<bytes.count { #expect(try read(Array(bytes.prefix(count))) == .incomplete) }
  }

  @Test func otherBytes_areNoHeader() throws {
    for text in [
      "PRI * HTTP/2.0\r\n", "GET / HTTP/1.1\r\n", "\r\n\r\nGET", "\r\n\r\n\0\r\nQUIT!", "PROXY TCP4 192.0.2.1",
    ] {
      #expect(try read(Array(text.utf8)) == .absent)
    }
    #expect(try read([0, 0, 0, 4, 0, 0, 0, 1, 1, 0]) == .absent)
    #expect(try read([0x16, 3, 1]) == .absent)
  }

  @Test func header_whenMalformed_isRejectedAtOnce() throws {
    let changes: [(inout ProxyHeader.Sample) -> Void] = [
      { $0.command = 0x11 }, { $0.command = 0x31 }, { $0.command = 0x22 }, { $0.family = 0x41 }, { $0.family = 0x13 },
      { $0.family = 0x12 }, { $0.family = 0x10 }, { $0.length = 11 }, { $0.length = 0 }, { $0.length = 0xFFFF },
      { $0.length = ProxyHeader.maximumLength - 15 }, { $0.family = 0x21 }, { $0.family = 0x31 },
      { ($0.command, $0.length) = (0x20, 0xFFFF) },
    ]
    for (number, change) in changes.enumerated() {
      let bytes = try sample(change)
      #expect(throws: ProxyHeader.Malformed.self, "\(number)") { try read(bytes) }
    }
    // Without waiting for what would follow.
    #expect(throws: ProxyHeader.Malformed.self) { try read(ProxyHeader.signature + [0x31]) }
  }

  @Test func header_whenMutated_isBounded() throws {
    var generator = SeededGenerator(seed: 30)
    let samples = try ["203.0.113.9", "2001:db8::9"].map { try ProxyHeader.Sample(from: $0).bytes }
    for number in 0..<5000 {
      var bytes = samples[number % 2] + [UInt8](repeating: 1, count: Int.random(in: 0...900, using: &generator))
      for _ in 0...Int.random(in: 0...3, using: &generator) {
        bytes[Int.random(in: 12..<28, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      switch Result(catching: { try read(bytes) }) {
      case .success(.complete(_, let length)): #expect(length <= bytes.count && length <= ProxyHeader.maximumLength)
      case .success(.incomplete): #expect(bytes.count < ProxyHeader.maximumLength)
      case .success(.absent): Issue.record("the signature was not changed")
      case .failure: break
      }
    }
  }
}
