import Synchronization
import Testing
import ToDoModel
import ToDoRPC
import ToDoTestSupport

@testable import ToDoClient

/// The attempts of a watch of lists, and what its consumer receives.
@Suite(.timeLimited) struct ListWatchTests {
  private static let lost = RPCError.unavailable("the connection was closed", isUnsent: false)
  private static let full = ToDoError.storeUnavailable(detail: "busy")
  private static let refused = ToDoError.unauthenticated

  private let clock = ManualClock()
  private let attempts = Condition(0)

  private static func set(_ version: Int64) -> ListSet { ListSet(version: version, lists: [.inbox]) }

  /// Runs a watch over a script for each of its attempts, and returns the versions of the sets until it ends.
  private func watch(retryLimit: Int = 1, _ scripts: [[Result<Int64, any Error>]]) -> Task<[Int64], any Error> {
    Task { [clock, attempts] in
      let made = WatchAttempts(retryLimit: retryLimit, backoff: .inSeconds, timing: .manual(clock)) {
        let number = attempts.change { number in
          number += 1
          return number - 1
        }
        let steps = Mutex(ArraySlice(scripts[number]))
        return { Self.set(try #require(steps.withLock { $0.popFirst() }).get()) }
      }
      let watch = ListWatch(made)
      var versions: [Int64] = []
      do {
        while let set = try await watch.next() { versions.append(set.version) }
      } catch let error as ToDoError where error == Self.refused {
        // The end of every script.
        #expect(try await watch.next() == nil)
      }
      return versions
    }
  }

  @Test func watch_whenConnectionIsLostAfterFirstSet_reconnectsAndEmitsOnlyChanges() async throws {
    let versions = watch(
      retryLimit: 0,
      [
        [.success(1), .failure(Self.lost)], [.success(1), .success(2), .failure(Self.full)], [.failure(Self.lost)],
        [.success(3), .failure(Self.refused)],
      ])
    for (index, delay) in [1, 1, 2].enumerated() {
      await attempts.wait { $0 == index + 1 }
      await clock.waitForSleepers()
      clock.advance(by: .seconds(delay))
    }
    #expect(try await versions.value == [1, 2, 3])
  }

  @Test func watch_beforeFirstSet_isRetriedUpToLimit() async throws {
    let versions = watch([[.failure(Self.lost)], [.failure(Self.lost)]])
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: RPCError.self) { try await versions.value }
    #expect(error?.code == .unavailable)
    #expect(attempts.value == 2)
  }
}
