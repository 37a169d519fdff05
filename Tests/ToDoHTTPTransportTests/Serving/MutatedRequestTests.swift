#if HTTP
import NIOCore
import NIOEmbedded
import Testing
import ToDoRPC
import ToDoSupport
import ToDoTestSupport
import ToDoTransport

@testable import ToDoHTTPTransport

/// Arbitrary bytes in place of requests.
@Suite(.timeLimited) struct MutatedRequestTests {
  private static let requests: [String] = [
    .call(body: "\n\u{1}a") + .call("Nothing"),
    .request(
      "POST http://localhost/test.Texts/Say?a=b HTTP/1.1",
      [
        "Host: localhost", "Content-Type: application/proto", "Transfer-Encoding: chunked",
        "Connect-Timeout-Ms: 9999999999",
      ],
      "3;x=y\r\n\n\u{1}a\r\n0\r\nX: y\r\n\r\n") + .call(),
    .request("OPTIONS /test.Texts/Say HTTP/1.1", ["Host: [::1]:80", "Origin: http://[::1]:80", "Content-Length: 0"])
      + .request("GET / HTTP/1.1", ["Host: a", "Expect: 100-continue", "Upgrade: h2c", "Connection: upgrade"]),
  ]

  /// What a server sends in response to bytes, and whether the connection is open then.
  private func responses(to bytes: [UInt8], inPartsOf size: Int) throws -> (sent: String, isOpen: Bool) {
    let connection = try EmbeddedHTTPConnection()
    var sent = ""
    for start in stride(from: 0, to: bytes.count, by: size) where connection.isOpen {
      connection.receive(bytes: bytes[start..<min(start + size, bytes.count)])
      sent += try connection.sent()
    }
    // Pipelined requests take turns with other connections.
    for _ in 0..<3 where connection.isOpen {
      connection.pass(.milliseconds(20))
      sent += try connection.sent()
    }
    // Nothing is kept of what the connection discards, and only one request is kept of what it serves.
    #expect(try connection.handler.state.heldBytes <= bytes.count)
    let isOpen = connection.isOpen
    connection.pass(.hours(2))
    #expect(!connection.isOpen)
    return (sent, isOpen)
  }

  @Test(arguments: 0..<3)
  func bytes_areAnsweredAlike_whateverTheReads(_ index: Int) throws {
    let original = Array(Self.requests[index].utf8)
    var generator = SeededGenerator(seed: UInt64(index))
    let interesting = Array("\r\n\0 :;,/0aF\t\u{7f}".utf8) + [0xff]
    for round in 0..<300 {
      var bytes = original
      if round > 0 {
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let position = Int.random(in: bytes.indices, using: &generator)
          let byte = interesting.randomElement(using: &generator) ?? 0
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: bytes[position] = byte
          case 1: bytes.insert(byte, at: position)
          case 2: bytes.remove(at: position)
          default: bytes.swapAt(position, Int.random(in: bytes.indices, using: &generator))
          }
        }
      }
      let whole = try responses(to: bytes, inPartsOf: bytes.count)
      let parts = try responses(to: bytes, inPartsOf: Int.random(in: 1...9, using: &generator))
      // A connection that is closed sends nothing in response to the rest.
      #expect(whole.sent == parts.sent, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
#endif
