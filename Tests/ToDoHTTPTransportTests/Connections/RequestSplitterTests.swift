#if HTTP
import NIOCore
import Testing
import ToDoTransport
import ToDoSupport

@testable import ToDoHTTPTransport

/// The bytes that the decoder receives.
@Suite struct RequestSplitterTests {
  private var splitter = RequestSplitter(messageLimit: 1000)

  private mutating func next() throws -> String? { try splitter.next().map { String(buffer: $0) } }

  @Test mutating func head_whenWhole_isPassedOn_andRestWaits() throws {
    splitter.append(ByteBuffer(string: "\r\nGET / HTTP/1.1\r\nA: b\r\n\r\nGET /2"))
    #expect(try next() == "\r\nGET / HTTP/1.1\r\nA: b\r\n\r\n")
    #expect(splitter.need == .nothing)
    #expect(try next() == nil)
    splitter.need = .head
    #expect(try next() == nil)
    #expect(splitter.isInsideHead)
  }

  @Test mutating func head_whenInBytes_isPassedOnAtItsEnd() throws {
    let head = "GET / HTTP/1.1\r\nA: b\r\n\r\n"
    for byte in head.utf8.dropLast() {
      splitter.append(ByteBuffer(bytes: [byte]))
      #expect(try next() == nil)
    }
    splitter.append(ByteBuffer(string: "\n"))
    #expect(try next() == head)
  }

  @Test(arguments: [
    "GET / HTTP/1.1\n", "GET / HTTP/1.1\rA: b\r\n\r\n", "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
    "GET / HTTP/1.1\r\nA: b\r\n\tc\r\n\r\n", "GET / HTTP/1.1\r\nA: \0\r\n\r\n", "\nGET / HTTP/1.1\r\n\r\n",
    " GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nA: b\r\n\n",
  ])
  mutating func head_whenParsersDisagreeAboutIt_isRejected(_ head: String) {
    splitter.append(ByteBuffer(string: head))
    #expect(throws: HTTPRejection.malformedHead) { try splitter.next() }
  }

  @Test mutating func head_whenTooLarge_isRejectedBeforeItsEnd() {
    splitter.append(ByteBuffer(string: "GET / HTTP/1.1\r\nA: " + String(repeating: "b", count: 33 << 10)))
    #expect(throws: HTTPRejection.headTooLarge) { try splitter.next() }
  }

  @Test mutating func head_whenItHasTooManyFields_isRejectedBeforeItsEnd() throws {
    let fields = String(repeating: "A: b\r\n", count: 100)
    splitter.append(ByteBuffer(string: "GET / HTTP/1.1\r\n" + fields))
    #expect(try next() == nil)
    splitter.append(ByteBuffer(string: "A: b\r\n"))
    #expect(throws: HTTPRejection.headTooLarge) { try splitter.next() }
  }

  @Test mutating func body_whenOfKnownLength_endsThere() throws {
    splitter.need = .body(5)
    splitter.append(ByteBuffer(string: "abc"))
    #expect(try next() == "abc")
    splitter.append(ByteBuffer(string: "defg"))
    #expect(try next() == "de")
    #expect(try next() == nil)
    #expect(splitter.need == .nothing)
    #expect(splitter.bufferedBytes > 0)
  }

  @Test mutating func body_whenChunked_endsAfterItsTrailers() throws {
    splitter.need = .chunks
    for part in ["3;a=b\r\nabc\r\n0\r", "\nA: b\r\n\r", "\nGET"] { splitter.append(ByteBuffer(string: part)) }
    #expect(try next() == "3;a=b\r\nabc\r\n0\r\nA: b\r\n\r\n")
    #expect(splitter.need == .nothing)
    #expect(try next() == nil)
  }

  @Test mutating func body_whenItsDataLooksLikeAnEnd_goesOn() throws {
    splitter.need = .chunks
    splitter.append(ByteBuffer(string: "9\r\n\r\n0\r\n\r\n\r\n\r\n0\r\n\r\nX"))
    #expect(try next() == "9\r\n\r\n0\r\n\r\n\r\n\r\n0\r\n\r\n")
    #expect(splitter.need == .nothing)
  }

  @Test mutating func body_whenChunkedInBytes_findsItsEnd() throws {
    splitter.need = .chunks
    for byte in "1\r\na\r\n0\r\n\r".utf8 {
      splitter.append(ByteBuffer(bytes: [byte]))
      #expect(try next()?.utf8.count == 1)
    }
    splitter.append(ByteBuffer(string: "\nX"))
    #expect(try next() == "\n")
    #expect(splitter.need == .nothing)
  }

  @Test(arguments: [
    "\r\n", "g\r\n", "1\na", "1\r\nab", "1\r\na\n", "0\r\nA: b\n", "0\r\n\rA", "0\n", "-1\r\n", "1\rX", "1 \n",
  ])
  mutating func body_whenParsersDisagreeAboutIt_isRejected(_ body: String) {
    splitter.need = .chunks
    splitter.append(ByteBuffer(string: body))
    #expect(throws: HTTPRejection.malformedRequest) { try splitter.next() }
  }

  @Test(arguments: ["FFFFFFFFFFFFFFFE\r\n", "7fffffffffffffff\r\n", "10000\r\n"])
  mutating func body_whenAChunkIsTooLong_isRejectedAtItsSize(_ body: String) {
    splitter.need = .chunks
    splitter.append(ByteBuffer(string: body))
    #expect(throws: HTTPRejection.bodyTooLarge) { try splitter.next() }
  }

  @Test mutating func body_whenItsChunksAreMostlyFraming_isRejected() throws {
    splitter.need = .chunks
    splitter.append(ByteBuffer(string: String(repeating: "1;x\r\na\r\n", count: 10_000)))
    #expect(throws: HTTPRejection.bodyTooLarge) { try splitter.next() }
  }

  @Test mutating func bytes_whenDiscarded_takeNoMemory() throws {
    splitter.append(ByteBuffer(string: "GET"))
    splitter.need = .discard
    #expect(try next() == nil)
    splitter.append(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"))
    #expect(splitter.bufferedBytes == 0)
  }
}
#endif
