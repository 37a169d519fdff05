import Synchronization
import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport

@testable import todo

/// Lists whose watches end because the list is not found.
@Suite(.timeLimited) struct RemindedBoardsTests {
  /// A list that is not found at first.
  private final class RestoredList: ToDoServiceStub {
    private let failureCount: Int
    private let watchCount = Mutex(0)

    init(failureCount: Int) {
      self.failureCount = failureCount
    }

    func watch(from start: WatchStart, state: ItemState, filter: ItemFilter) -> WatchEvents {
      let isFound = watchCount.withLock { count in
        count += 1
        return count > failureCount
      }
      let events = Mutex<[WatchEvent]>([.snapshotPage([item]), .snapshotEnd(Revision(1))])
      return WatchEvents {
        {
          guard isFound else { throw ToDoError.listNotFound(.default) }
          return events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
      }
    }

    private let item = ToDoItem(
      id: TestBench.id(1), number: ItemNumber(1),
      content: ItemContent(title: "Milk", reminders: [Reminder(.time(TestBench.start))]), createdAt: TestBench.start,
      updatedAt: TestBench.start, revision: Revision(1))
  }

  private let schedule = ReminderSchedule { _ in CentralEuropeanZone() }

  /// Boards with one list, and the events of their watches.
  private struct Bench {
    var boards = RemindedBoards()
    var events: AsyncStream<RemindedBoards.Event>.Iterator
    let emit: @Sendable (RemindedBoards.Event) -> Void
    let list: RemindedList

    init(failureCount: Int) {
      let (stream, continuation) = AsyncStream.makeStream(of: RemindedBoards.Event.self)
      events = stream.makeAsyncIterator()
      emit = { continuation.yield($0) }
      list = RemindedList(list: .inbox, printed: nil, service: RestoredList(failureCount: failureCount))
    }

    /// Applies events until a watch ends, and returns that end.
    mutating func nextEnd() async -> RemindedBoards.End? {
      while let event = await events.next() {
        switch event {
        case .items(let list, let event): boards.apply(event, to: list)
        case .ended(let end): return end
        }
      }
      return nil
    }
  }

  @Test func list_thatIsFoundAgain_isWatched_andLosesNoReminder() async throws {
    var bench = Bench(failureCount: 1)
    bench.boards.update([bench.list], schedule, bench.emit)
    let first = try #require(await bench.nextEnd())
    #expect(first.error as? ToDoError == .listNotFound(.default))
    bench.boards.watchAgain(after: first, schedule, bench.emit)
    #expect(bench.boards.elements.count == 1 && !bench.boards.isComplete)
    let second = try #require(await bench.nextEnd())
    #expect(second.error == nil)
    #expect(bench.boards.isComplete && bench.boards.nextTime == TestBench.start)
    // The end of a watch that was replaced does not concern the new one.
    bench.boards.watchAgain(after: first, schedule, bench.emit)
    #expect(bench.boards.isComplete && bench.boards.count == 1)
    await bench.boards.stop()
  }

  @Test func list_thatStaysAway_isRemoved_untilTheListsNameItAgain() async throws {
    var bench = Bench(failureCount: 2)
    bench.boards.update([bench.list], schedule, bench.emit)
    for count in [1, 0] {
      let end = try #require(await bench.nextEnd())
      bench.boards.watchAgain(after: end, schedule, bench.emit)
      #expect(bench.boards.elements.count == count)
    }
    bench.boards.update([bench.list], schedule, bench.emit)
    _ = await bench.nextEnd()
    #expect(bench.boards.count == 1)
    await bench.boards.stop()
  }
}
