#if GRPC || HTTP
import NIOCore
import Testing
import ToDoRPC

@testable import ToDoTransport

/// The calls that clients of one connection cancel.
struct CancelRateTests {
  private let now = NIODeadline.uptimeNanoseconds(5_000_000_000)

  private func client(_ number: Int) -> NetworkAddress? { .v4(UInt32(number)) }

  private func cancel(_ rate: inout CancelRate, _ client: NetworkAddress?, _ count: Int) {
    for _ in 0..<count { rate.count(client, at: now) }
  }

  @Test func exceedsLimit_countsEachClient() {
    var rate = CancelRate()
    cancel(&rate, client(1), CancelRate.limit)
    #expect(!rate.exceedsLimit(of: client(1), at: now))
    cancel(&rate, client(1), 1)
    #expect(rate.exceedsLimit(of: client(1), at: now))
    #expect(!rate.exceedsLimit(of: client(2), at: now))
    #expect(!rate.exceedsLimit(of: client(1), at: now + .seconds(1)))
  }

  @Test func exceedsLimit_whenManyOthersCancel_keepsTheCount() {
    var rate = CancelRate()
    cancel(&rate, client(0), CancelRate.limit)
    for number in 1..<2 * CancelRate.maximumClients { rate.count(client(number), at: now) }
    rate.count(client(0), at: now)
    #expect(rate.exceedsLimit(of: client(0), at: now))
  }

  @Test func exceedsLimit_ofClientsBeyondTheTable_countsThemTogether() {
    var rate = CancelRate()
    for number in 0..<CancelRate.maximumClients { rate.count(client(number), at: now) }
    for number in 0...CancelRate.limit { rate.count(client(CancelRate.maximumClients + number), at: now) }
    #expect(rate.exceedsLimit(of: client(5000), at: now))
    #expect(!rate.exceedsLimit(of: client(1), at: now))
  }
}
#endif
