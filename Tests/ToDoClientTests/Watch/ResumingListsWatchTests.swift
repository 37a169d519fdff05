import Synchronization
import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

@testable import ToDoClient

/// The attempts of a watch of several lists: where each list resumes, and what the consumer receives.
@Suite(.timeLimited) struct ResumingListsWatchTests {
  private typealias Step = Result<ListWatchMessage, any Error>

  private static let work = ListID(high: 1, low: 1)
  private static let lost = RPCError.unavailable("the connection was closed", isUnsent: false)
  private static let lists = [WatchedList(.default, from: .now), WatchedList(work, from: .snapshot)]

  private let clock = ManualClock()
  /// The lists of each attempt.
  private let requests = Condition<[[WatchedList]]>([])

  private static func message(_ message: WatchMessage, in list: ListID = .default) -> Step {
    .success(ListWatchMessage(list, .message(message)))
  }

  private static func end(_ error: ToDoError, of list: ListID = work) -> Step {
    .success(ListWatchMessage(list, .ended(RPCError(error))))
  }

  private static func changes(_ revision: Int64, moreFollow: Bool = false) -> WatchMessage {
    let change = ItemChange.put(sample(Int(revision), at: revision), .added)
    return .changes(ChangeSet(revision: Revision(revision), changes: [change]), moreFollow: moreFollow)
  }

  /// Runs a watch over a script for each of its attempts, and returns the events until it ends.
  private func watch(
    of lists: [WatchedList] = lists, _ scripts: [[Step]]
  ) -> Task<(events: [ListWatchEvent], error: (any Error)?), any Error> {
    Task { [clock, requests] in
      let positions = ListPositions(lists, limit: 1 << 20)
      let attempts = WatchAttempts<ListWatchMessage>(retryLimit: 1, backoff: .inSeconds, timing: .manual(clock)) {
        let number = requests.change { requests in
          requests.append(positions.begin())
          return requests.count - 1
        }
        let steps = Mutex(scripts[number][...])
        return {
          do { return try #require(steps.withLock { $0.popFirst() }).get() } catch let error as RPCError {
            guard let end = positions.end(of: error) else { throw error }
            return end
          }
        }
      }
      let watch = ResumingListsWatch(positions, attempts)
      var events: [ListWatchEvent] = []
      do {
        while let event = try await watch.next() { events.append(event) }
      } catch {
        return (events, error)
      }
      return (events, nil)
    }
  }

  @Test func watch_whenConnectionIsLost_resumesEachListAfterItsLastEvent() async throws {
    let result = watch([
      [
        Self.message(.progress(Revision(4))), Self.message(.snapshotEnd(Revision(1)), in: Self.work),
        Self.message(Self.changes(2), in: Self.work), Self.message(Self.changes(5, moreFollow: true)),
        .failure(Self.lost),
      ],
      [Self.message(Self.changes(5)), .failure(RPCError(ToDoError.unauthenticated))],
    ])
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    let (events, error) = try await result.value
    #expect(error as? ToDoError == .unauthenticated)
    let starts = requests.value.map { $0.map(\.start) }
    #expect(starts == [[.now, .snapshot], [.after(Revision(4)), .after(Revision(2))]])
    #expect(events.map(\.list) == [.default, Self.work, Self.work, .default])
    #expect(events.last == ListWatchEvent(.default, .event(.put(.added, sample(5, at: 5)))))
  }

  @Test func watch_whenConnectionIsLostInsideSnapshot_restartsThatList() async throws {
    let result = watch([
      [
        Self.message(.progress(Revision(4))), Self.message(.snapshotPage([sample(1, at: 1)]), in: Self.work),
        .failure(Self.lost),
      ],
      [Self.message(.snapshotEnd(Revision(1)), in: Self.work), .failure(RPCError(ToDoError.unauthenticated))],
    ])
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(
      try await result.value.events == [
        ListWatchEvent(.default, .event(.progress(Revision(4)))),
        ListWatchEvent(Self.work, .event(.snapshotPage([sample(1, at: 1)]))),
        ListWatchEvent(Self.work, .event(.restarted)), ListWatchEvent(Self.work, .event(.snapshotEnd(Revision(1)))),
      ])
    #expect(requests.value[1].map(\.start) == [.after(Revision(4)), .snapshot])
  }

  @Test func watch_whenListIsTooSlow_resumesAtOnce() async throws {
    let result = watch([
      [
        Self.message(.progress(Revision(4))), Self.message(.snapshotEnd(Revision(1)), in: Self.work),
        Self.end(.watchTooSlow(resume: Revision(3))),
      ],
      [Self.end(.revisionCompacted(oldest: Revision(9)), of: .default), Self.end(.listReplaced)],
      [Self.end(.listNotFound(Self.work)), .failure(RPCError(ToDoError.unauthenticated))],
    ])
    let (events, error) = try await result.value
    #expect(error as? ToDoError == .unauthenticated)
    #expect(
      requests.value.map { $0.map(\.start) } == [
        [.now, .snapshot], [.after(Revision(4)), .after(Revision(3))], [.snapshot, .after(Revision(3))],
      ])
    #expect(
      events.suffix(2) == [
        ListWatchEvent(.default, .event(.restarted)), ListWatchEvent(Self.work, .ended(.listNotFound(Self.work))),
      ])
  }

  @Test func watch_whenEveryListEnds_ends() async throws {
    let gone = ToDoError.revisionCompacted(oldest: Revision(9))
    let result = watch([[Self.end(gone, of: .default), Self.end(.listNotFound(Self.work))]])
    let (events, error) = try await result.value
    #expect(error == nil)
    #expect(
      events == [ListWatchEvent(.default, .ended(gone)), ListWatchEvent(Self.work, .ended(.listNotFound(Self.work)))])
  }

  @Test func watch_ofOneList_endsWithErrorOfStream() async throws {
    let error = ToDoError.listNotFound(Self.work)
    let result = watch(of: [Self.lists[1]], [[Self.message(.snapshotEnd(Revision(1))), .failure(RPCError(error))]])
    #expect(
      try await result.value.events == [
        ListWatchEvent(Self.work, .event(.snapshotEnd(Revision(1)))), ListWatchEvent(Self.work, .ended(error)),
      ])
  }

  @Test func watch_whenMessageIsOutOfOrderOrOfAnotherList_fails() async throws {
    for message in [Self.message(.progress(Revision(1)), in: Self.work), Self.message(Self.changes(1), in: ListID())] {
      requests.change { $0 = [] }
      let error = try await watch([[message]]).value.error as? RPCError
      #expect(error?.isMalformedResponse == true)
    }
  }

  @Test func watch_ofNoList_endsAtOnce() async throws {
    let (events, error) = try await watch(of: [], []).value
    #expect(events == [])
    #expect(error == nil)
    #expect(requests.value == [])
  }
}
