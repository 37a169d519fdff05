import Synchronization
import Testing
import ToDoTestSupport

@testable import ToDoStores

/// Runs scheduled work when a test requests it, and records the commits.
final class FakeSink: GroupSink {
  private struct State {
    var work: [@Sendable () -> Void] = []
    var log: [String] = []
    var groupCount = 0
    var failure: (any Error)?
  }

  private let state = Mutex(State())

  var log: [String] { state.withLock(\.log) }

  func append(_ line: String) { state.withLock { $0.log.append(line) } }

  func fail(with error: any Error) { state.withLock { $0.failure = error } }

  func schedule(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.work.append(work) } }

  func commit(_ next: @Sendable () -> GroupedWrite<String>?) throws -> [GroupedWrite<String>.Answer] {
    let group = state.withLock { state in
      state.groupCount += 1
      return "group \(state.groupCount)"
    }
    var answers: [GroupedWrite<String>.Answer] = []
    while let write = next() { answers.append(write.perform(group)) }
    append(answers.count == 1 ? "1 write" : "\(answers.count) writes")
    if let failure = state.withLock(\.failure) { throw failure }
    append("commit")
    return answers
  }

  var hasWork: Bool { !state.withLock(\.work.isEmpty) }

  func waitForWork() async {
    await waitUntil("the sink has work") { hasWork }
  }

  /// Runs the scheduled work.
  func work() {
    let work = state.withLock { state in
      defer { state.work = [] }
      return state.work
    }
    for item in work { item() }
  }
}
