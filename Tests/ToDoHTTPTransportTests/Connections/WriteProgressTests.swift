#if HTTP
import NIOCore
import Testing

@testable import ToDoHTTPTransport

/// When a client counts as one that has stopped reading.
@Suite struct WriteProgressTests {
  private func time(_ seconds: UInt64) -> NIODeadline { .uptimeNanoseconds(seconds * 1_000_000_000) }

  @Test func stall_beginsWhenBytesStayUnsent_andEndsWithProgress() {
    var progress = WriteProgress()
    progress.write(100)
    #expect(progress.stalledSince(time(1), unsent: 100) == time(1))
    #expect(progress.stalledSince(time(2), unsent: 100) == time(1))
    #expect(progress.stalledSince(time(3), unsent: 90) == time(3))
    progress.write(50)
    #expect(progress.stalledSince(time(4), unsent: 140) == time(3))
    #expect(progress.stalledSince(time(5), unsent: 0) == nil)
    progress.write(10)
    #expect(progress.stalledSince(time(6), unsent: 10) == time(6))
  }
}
#endif
