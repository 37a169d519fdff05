import Synchronization
import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

@testable import ToDoClient

/// The attempts of a watch: when they take place, where they start, and what its consumer receives.
@Suite(.timeLimited) struct ResumingWatchTests {
  /// What a step of an attempt results in.
  private enum Step: Sendable {
    case input(WatchInput)
    case failure(any Error)

    static func event(_ event: WatchEvent) -> Step { .input(.event(event)) }
  }

  /// An attempt that follows a script.
  private final class ScriptedAttempt: WatchAttempt {
    private var steps: ArraySlice<Step>

    init(_ steps: [Step]) {
      self.steps = steps[...]
    }

    func next() async throws -> WatchInput {
      let step = steps.popFirst()
      switch try #require(step) {
      case .input(let input): return input
      case .failure(let error): throw error
      }
    }
  }

  private static let lost = RPCError.unavailable("the connection was closed", isUnsent: false)
  private static let other = RPCError(.internal, reason: "BUG", "no")

  private let clock = ManualClock()
  /// The start of each attempt.
  private let starts = Condition<[WatchStart]>([])
  private let states = Condition<[WatchConnectionState]>([])

  /// Runs a watch over a script for each of its attempts, and returns the events until it ends.
  private func watch(
    from start: WatchStart = .now, retryLimit: Int = 2, _ scripts: [[Step]]
  ) -> Task<[WatchEvent], any Error> {
    watch(from: start, .connection(retryLimit: retryLimit, backoff: .inSeconds), scripts)
  }

  private func watch(
    from start: WatchStart = .now, _ policy: WatchResumption.Policy, _ scripts: [[Step]]
  ) -> Task<[WatchEvent], any Error> {
    Task { [clock, starts, states] in
      let watch = ResumingWatch(
        from: start, policy: policy, timing: .manual(clock),
        connectionStateChanged: { state in states.change { $0.append(state) } }
      ) { start in
        let number = starts.change { starts in
          starts.append(start)
          return starts.count - 1
        }
        return ScriptedAttempt(try #require(scripts.indices.contains(number) ? scripts[number] : nil))
      }
      var events: [WatchEvent] = []
      while let event = try await watch.next() { events.append(event) }
      return events
    }
  }

  /// Waits until a number of attempts have failed, and expects the next one after a delay and no sooner.
  private func expectDelay(_ delay: Duration, afterAttempts count: Int) async {
    await clock.waitForSleepers()
    clock.advance(by: delay - .nanoseconds(1))
    #expect(starts.value.count == count)
    clock.advance(by: .nanoseconds(1))
    await starts.wait { $0.count == count + 1 }
  }

  private func changes(_ revision: Int64) -> WatchEvent { .put(.edited, sample(1, at: revision)) }

  @Test func next_whenConnectionIsLost_resumesAfterTheLastRevision() async throws {
    let watch = watch([
      [.event(.progress(Revision(3))), .input(.partial), .failure(Self.lost)],
      [.event(changes(4)), .input(.end)],
    ])
    await expectDelay(.seconds(1), afterAttempts: 1)
    #expect(try await watch.value == [.progress(Revision(3)), changes(4)])
    #expect(starts.value == [.now, .after(Revision(3))])
    #expect(states.value == [.connecting, .connected, .lost, .connected])
  }

  @Test func next_whenAttemptsFail_doublesTheDelayUntilOneSucceeds() async throws {
    let lost = Step.failure(Self.lost)
    let progress = Step.event(.progress(Revision(3)))
    let watch = watch([[progress, lost], [lost], [lost], [lost], [progress, lost], [.input(.end)]])
    for (index, delay) in [1, 2, 4, 5, 1].enumerated() {
      await expectDelay(.seconds(delay), afterAttempts: index + 1)
    }
    #expect(try await watch.value == [.progress(Revision(3)), .progress(Revision(3))])
  }

  @Test func next_whenNoAttemptSucceeds_failsAfterTheLastRetry() async throws {
    let watch = watch([[.failure(Self.lost)], [.failure(Self.lost)], [.failure(Self.lost)]])
    await expectDelay(.seconds(1), afterAttempts: 1)
    await expectDelay(.seconds(2), afterAttempts: 2)
    await #expect(throws: Self.lost) { try await watch.value }
    #expect(starts.value == [.now, .now, .now])
    #expect(states.value == [.connecting])
  }

  @Test func next_whenLostInsideASnapshot_restartsIt() async throws {
    let page = Step.event(.snapshotPage([sample(1, at: 1)]))
    let watch = watch(
      from: .snapshot,
      [[page, .failure(Self.lost)], [page, .event(.snapshotEnd(Revision(2))), .input(.end)]])
    await expectDelay(.seconds(1), afterAttempts: 1)
    let events: [WatchEvent] = [
      .snapshotPage([sample(1, at: 1)]), .restarted, .snapshotPage([sample(1, at: 1)]), .snapshotEnd(Revision(2)),
    ]
    #expect(try await watch.value == events)
    #expect(starts.value == [.snapshot, .snapshot])
  }

  @Test func next_whenItFailsForGood_throwsOnceAndEnds() async throws {
    let watch = watch([[.event(.progress(Revision(3))), .failure(Self.other)]])
    await #expect(throws: Self.other) { try await watch.value }
    #expect(starts.value == [.now])
  }

  @Test func next_whenCancelledWhileItWaits_throwsCancellationError() async throws {
    let watch = watch([[.event(.progress(Revision(3))), .failure(Self.lost)]])
    await clock.waitForSleepers()
    watch.cancel()
    await #expect(throws: CancellationError.self) { try await watch.value }
    #expect(starts.value.count == 1)
    #expect(states.value == [.connecting, .connected, .lost])
  }

  @Test func next_whenAServiceNoLongerHasTheChanges_restartsWithoutDelay() async throws {
    let watch = watch(
      .service,
      [
        [.event(.progress(Revision(3))), .failure(ToDoError.revisionCompacted(oldest: Revision(9)))],
        [.event(.snapshotEnd(Revision(9))), .input(.end)],
      ])
    #expect(try await watch.value == [.progress(Revision(3)), .restarted, .snapshotEnd(Revision(9))])
    #expect(starts.value == [.now, .snapshot])
  }
}
