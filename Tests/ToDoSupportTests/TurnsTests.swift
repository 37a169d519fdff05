import Foundation
import Testing
import ToDoSupport
import ToDoTestSupport

@Suite(.unitTimeLimited) struct TurnsTests {
  private let turns = Turns()
  private let order = Condition<[Int]>([])

  /// Starts a thread, and returns once it waits for its turn.
  private func startWaiting(_ number: Int) async {
    Thread.detachNewThread { [turns, order] in
      turns.take { order.change { $0.append(number) } }
    }
    await waitUntil("thread \(number) waits") { turns.waitingCount == number }
  }

  @Test func take_returnsTheValueOrTheErrorOfTheBody() {
    #expect(turns.take { 1 } == 1)
    #expect(throws: Breakage.self) { try turns.take { throw Breakage() } }
    #expect(turns.take { 2 } == 2)
  }

  @Test func take_runsThreadsInTheOrderInWhichTheyCame() async {
    let mayEnd = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [turns, order] in
      turns.take {
        order.change { $0.append(0) }
        mayEnd.waitForSignal()
      }
      // It asks again at once, but others came before.
      turns.take { order.change { $0.append(4) } }
    }
    await order.wait { $0 == [0] }
    for number in 1...3 { await startWaiting(number) }
    mayEnd.signal()
    await order.wait { $0.count == 5 }
    #expect(order.value == [0, 1, 2, 3, 4])
  }
}

private struct Breakage: Error {}
