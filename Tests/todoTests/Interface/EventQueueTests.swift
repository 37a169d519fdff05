import Dispatch
import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoScreens
@testable import todo

@Suite(.unitTimeLimited) struct EventQueueTests {
  private let queue = EventQueue()

  private static func progress(_ number: Int) -> WatchEvent { .progress(Revision(Int64(number))) }

  @Test func events_untilTaken_wakeOnce() async throws {
    queue.put(.typed([1]))
    queue.put(.resized)
    queue.put { $0.connection = .connected }
    let wakeUps = Subscription(queue.wakeUps)
    try await wakeUps.next()
    let events = queue.takeUrgent()
    #expect(events.typed == [1])
    #expect(events.wasResized)
    #expect(events.connection == .connected)
    #expect(queue.isEmpty)
    queue.put(.typed([2]))
    try await wakeUps.next()
    #expect(queue.takeUrgent().typed == [2])
  }

  @Test func typed_whenLimitIsReached_waitsUntilTaken() async {
    let limit = [UInt8](repeating: 97, count: EventQueue.typedLimit)
    queue.put(.typed(limit))
    let added = Condition(false)
    DispatchQueue.global().async { [queue] in
      queue.put(.typed([98]))
      added.change { $0 = true }
    }
    var typed: [UInt8] = []
    while typed.count <= limit.count {
      let more = queue.takeUrgent().typed
      #expect(more.count <= limit.count)
      typed += more
      await Task.yield()
    }
    await added.wait { $0 }
    #expect(typed == limit + [98])
  }

  @Test func typed_whenQueueIsClosed_doesNotWait() {
    queue.put(.typed([UInt8](repeating: 97, count: EventQueue.typedLimit)))
    queue.close()
    queue.put(.typed([98]))
    #expect(queue.takeUrgent().typed.last == 98)
  }

  @Test func watchEvents_areTakenInOrder() async throws {
    for number in 1...3 { try await queue.put(Self.progress(number)) }
    for number in 1...3 {
      let event = try #require(queue.takeWatchEvent())
      #expect(event == Self.progress(number))
    }
    #expect(queue.takeWatchEvent() == nil)
  }

  @Test func watchEvent_whenLimitIsReached_waitsForRoom() async throws {
    let count = EventQueue.watchEventLimit
    for number in 1...count { try await queue.put(Self.progress(number)) }
    let added = Condition(false)
    let producer = Task { [queue] in
      try await queue.put(Self.progress(count + 1))
      added.change { $0 = true }
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(!added.value)
    var taken: [WatchEvent] = []
    while taken.count <= count {
      if let event = queue.takeWatchEvent() { taken.append(event) } else { await Task.yield() }
    }
    try await producer.value
    #expect(taken == (1...(count + 1)).map(Self.progress))
  }

  @Test func watchEvent_whenTaskIsCancelled_isNotAdded() async throws {
    for number in 1...EventQueue.watchEventLimit { try await queue.put(Self.progress(number)) }
    let producer = Task { [queue] in try await queue.put(Self.progress(0)) }
    producer.cancel()
    await #expect(throws: CancellationError.self) { try await producer.value }
    var count = 0
    while queue.takeWatchEvent() != nil { count += 1 }
    #expect(count == EventQueue.watchEventLimit)
  }

  @Test func watchEnd_followsPendingEvents() async throws {
    try await queue.put(Self.progress(1))
    queue.end(.success(()))
    #expect(queue.takeWatchEnd() == nil)
    #expect(queue.takeWatchEvent() != nil)
    #expect(queue.takeWatchEnd() != nil)
    #expect(queue.isEmpty)
  }

  @Test func watch_whenAnotherBegins_isDiscarded() async throws {
    for number in 1...EventQueue.watchEventLimit { try await queue.put(Self.progress(number)) }
    let waiting = Task { [queue] in try await queue.put(Self.progress(0)) }
    for _ in 0..<100 { await Task.yield() }
    queue.end(.success(()))
    let watch = queue.beginWatch()
    try await waiting.value
    try await queue.put(Self.progress(1))
    queue.end(.success(()))
    #expect(queue.isEmpty)
    try await queue.put(Self.progress(2), of: watch)
    queue.end(.success(()), of: watch)
    #expect(queue.takeWatchEvent() == Self.progress(2))
    #expect(queue.takeWatchEvent() == nil && queue.takeWatchEnd() != nil)
  }

  @Test func lists_replaceEarlierOnes() {
    let failure = EffectResult.listsRead(.failure(EffectFailure(kind: .other, message: "it failed")))
    let sets = [1, 2].map { ListSet(version: $0, lists: [.inbox]) }
    queue.put { $0.results.append(failure) }
    for set in sets { queue.put { $0.add(set) } }
    #expect(queue.takeUrgent().results == [failure, .listsRead(.success(sets[1]))])
  }

  @Test func expiry_ofSameTimer_replacesEarlierOne() {
    queue.put { $0.add(TimerExpiry(timer: .frame, number: 1)) }
    queue.put { $0.add(TimerExpiry(timer: .frame, number: 2)) }
    #expect(queue.takeUrgent().expiries == [TimerExpiry(timer: .frame, number: 2)])
  }
}
