import NIOCore
import Testing
import ToDoRPC

@testable import ToDoTTRPCTransport

@Suite struct ConnectionTimeoutsTests {
  private let start = NIODeadline.uptimeNanoseconds(0)

  @Test func check_whenItIsLate_leavesASecondToReadWhatHasArrived() {
    var timeouts = ConnectionTimeouts(opened: start, ServerLimits())
    let (due, late) = (start + .seconds(10), start + .seconds(60))
    let first = timeouts.check(at: late, due: due, isBusy: false, written: 0, unsent: 0)
    #expect(first == .checkAgain(at: late + .seconds(1)))
    let next = late + .seconds(1)
    let second = timeouts.check(at: next, due: next, isBusy: false, written: 0, unsent: 0)
    #expect(second == .timedOut(.firstFrame))
  }
}
