import Testing
import ToDoRPC
import ToDoTTRPC

@testable import todo_load

@Suite struct InFlightRingTests {
  @Test func remove_returnsInsertedRequest() {
    var ring = InFlightRing(limit: 2)
    ring.insert(request(1), StreamID(1))
    ring.insert(request(2), StreamID(3))
    #expect(ring.remove(StreamID(3)) == request(2))
    #expect(ring.remove(StreamID(3)) == nil)
    #expect(ring.all.map(\.request) == [request(1)])
  }

  @Test func insert_whenOldRequestIsInFlight_preservesIt() {
    var ring = InFlightRing(limit: 1)
    ring.insert(request(0), StreamID(1))
    for number in 1..<1000 {
      ring.insert(request(number), StreamID(UInt32(2 * number + 1)))
      ring.remove(StreamID(UInt32(2 * number + 1)))
    }
    #expect(ring.all.map(\.id) == [StreamID(1)])
    #expect(ring.remove(StreamID(1)) == request(0))
  }

  private func request(_ item: Int) -> InFlightRequest {
    InFlightRequest(operation: .get, due: 0, sent: 0, isMeasured: true, item: item)
  }
}
