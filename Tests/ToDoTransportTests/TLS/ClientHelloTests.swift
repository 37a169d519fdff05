#if TLS
import NIOCore
import Testing

@testable import ToDoTransport

/// The protocols in the first message of a TLS client.
@Suite struct ClientHelloTests {
  /// A ClientHello with a server name and a list of protocols.
  private static func message(_ protocols: [String]?) -> [UInt8] {
    func vector(_ bytes: [UInt8], _ width: Int = 2) -> [UInt8] {
      (0..<width).reversed().map { UInt8(bytes.count >> (8 * $0) & 0xFF) } + bytes
    }
    var extensions: [UInt8] = [0, 0] + vector([1, 2, 3])
    if let protocols { extensions += [0, 16] + vector(vector(protocols.flatMap { vector(Array($0.utf8), 1) })) }
    let body =
      [3, 3] + [UInt8](repeating: 7, count: 32) + vector([9], 1) + vector([0x13, 1]) + vector([0], 1)
      + vector(extensions)
    return [1] + vector(body, 3)
  }

  private static func records(_ message: [UInt8], of size: Int) -> [UInt8] {
    stride(from: 0, to: message.count, by: size).flatMap { start -> [UInt8] in
      let part = message[start..<min(start + size, message.count)]
      return [22, 3, 1, UInt8(part.count >> 8), UInt8(part.count & 0xFF)] + part
    }
  }

  @Test(arguments: [["ttrpc"], ["h2", "http/1.1"], []], [1, 20, 10_000])
  func read_whenMessageSpansRecords_returnsProtocols(_ protocols: [String], _ size: Int) {
    let bytes = Self.records(Self.message(protocols), of: size)
    #expect(ClientHello.read(ByteBuffer(bytes: bytes)) == .offers(protocols))
    #expect(ClientHello.read(ByteBuffer(bytes: bytes + [23, 3, 3])) == .offers(protocols))
  }

  @Test func read_withoutALPN_returnsNoProtocols() {
    #expect(ClientHello.read(ByteBuffer(bytes: Self.records(Self.message(nil), of: 500))) == .offers([]))
  }

  @Test(arguments: [7, 10_000]) func read_whenTruncated_isIncomplete(_ size: Int) {
    let bytes = Self.records(Self.message(["ttrpc"]), of: size)
    for count in 0..<bytes.count { #expect(ClientHello.read(ByteBuffer(bytes: bytes.prefix(count))) == .incomplete) }
  }

  @Test(
    arguments: [
      [0], Array("GET / HTTP/1.1\r\n".utf8), [22, 3, 1, 0, 0], [22, 3, 1, 0, 4, 2, 0, 0, 1],
      [22, 3, 1, 0, 4, 1, 0xFF, 0, 0],
      [22, 3, 1, 0, 5, 1, 0, 0, 1, 3], records([1, 0, 0, 40] + [UInt8](repeating: 0xFF, count: 40), of: 100),
    ] as [[UInt8]])
  func read_whenNotClientHello_isUnknown(_ bytes: [UInt8]) {
    #expect(ClientHello.read(ByteBuffer(bytes: bytes)) == .unknown)
  }

  @Test func read_whenAnyByteChanges_doesNotTrap() {
    let bytes = Self.records(Self.message(["ttrpc"]), of: 50)
    for index in bytes.indices {
      for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
        var changed = bytes
        changed[index] = value
        _ = ClientHello.read(ByteBuffer(bytes: changed))
      }
    }
  }
}
#endif
