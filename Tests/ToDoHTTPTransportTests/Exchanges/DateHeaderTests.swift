#if HTTP
import Synchronization
import Testing

@testable import ToDoHTTPTransport

/// The time in responses.
@Suite struct DateHeaderTests {
  @Test(
    arguments: [
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
    ] as [(Int64, String)])
  func text_isDateOfHTTP(_ second: Int64, _ text: String) {
    #expect(DateHeader(now: { second }).text == text)
  }

  @Test func text_followsClock() {
    final class Clock: Sendable { let second = Atomic<Int64>(0) }
    let shared = Clock()
    let date = DateHeader { shared.second.load(ordering: .relaxed) }
    #expect(date.text.hasSuffix("00:00:00 GMT"))
    shared.second.store(61, ordering: .relaxed)
    #expect(date.text.hasSuffix("00:01:01 GMT"))
  }

  @Test func response_hasDate() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(.call())
    #expect(try connection.sent().ranges(of: "\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\n").count == 1)
  }
}
#endif
