import Synchronization
import ToDoClient
import ToDoModel
import ToDoTransport

/// Many watchers of one list that note when each change arrives.
final class Watchers: Sendable {
  private struct State {
    var arrivals: [Revision: [ContinuousClock.Instant]] = [:]
    var waiter: (revision: Revision, continuation: CheckedContinuation<[ContinuousClock.Instant], Never>)?
  }

  private let count: Int
  private let state = Mutex(State())
  private let task = Mutex<Task<Void, Never>?>(nil)

  private init(count: Int) {
    self.count = count
  }

  /// Returns when all watch.
  static func start(_ count: Int, of endpoint: Endpoint) async throws -> Watchers {
    let watchers = Watchers(count: count)
    let (ready, started) = AsyncStream<Void>.makeStream()
    let client = ToDoClient(endpoint: endpoint)
    let task = Task {
      await withDiscardingTaskGroup { group in
        for _ in 0..<count {
          group.addTask {
            do {
              for try await event in client.watch(from: .now, state: .all) {
                switch event {
                case .progress: started.yield()
                case .changes(let set): watchers.note(set.revision)
                default: break
                }
              }
            } catch is CancellationError {
            } catch { print("a watch failed: \(error)") }
          }
        }
      }
    }
    watchers.task.withLock { $0 = task }
    var left = count
    for await _ in ready {
      left -= 1
      if left == 0 { break }
    }
    return watchers
  }

  func stop() { task.withLock { $0?.cancel() } }

  /// When the change has arrived at each, once it has at all.
  func arrivals(of revision: Revision) async -> [ContinuousClock.Instant] {
    await withCheckedContinuation { continuation in
      let all = state.withLock { state -> [ContinuousClock.Instant]? in
        if state.arrivals[revision]?.count == count { return state.arrivals.removeValue(forKey: revision) }
        state.waiter = (revision, continuation)
        return nil
      }
      if let all { continuation.resume(returning: all) }
    }
  }

  private func note(_ revision: Revision) {
    let now = ContinuousClock.now
    let woken = state.withLock {
      state -> (CheckedContinuation<[ContinuousClock.Instant], Never>, [ContinuousClock.Instant])?
      in
      state.arrivals[revision, default: []].append(now)
      guard let waiter = state.waiter, waiter.revision == revision, state.arrivals[revision]?.count == count,
        let all = state.arrivals.removeValue(forKey: revision)
      else { return nil }
      state.waiter = nil
      return (waiter.continuation, all)
    }
    woken.map { $0.resume(returning: $1) }
  }
}

/// A watcher that starts and then does not read.
final class StalledWatcher: Sendable {
  private let task: Task<Void, any Error>
  private let end: AsyncStream<Void>.Continuation

  private init(task: Task<Void, any Error>, end: AsyncStream<Void>.Continuation) {
    self.task = task
    self.end = end
  }

  func stop() { task.cancel() }

  /// Returns when all have started.
  static func start(_ count: Int, of endpoint: Endpoint) async throws -> [StalledWatcher] {
    var watchers: [StalledWatcher] = []
    for _ in 0..<count {
      let (started, isStarted) = AsyncStream<Void>.makeStream()
      let (forever, end) = AsyncStream<Void>.makeStream()
      let task = Task {
        let client = ToDoClient(endpoint: endpoint)
        var watch = client.watch(from: .now, state: .all).makeAsyncIterator()
        _ = try await watch.next()
        isStarted.finish()
        for await _ in forever {}
        // It is held until here.
        withExtendedLifetime(watch) {}
      }
      for await _ in started {}
      watchers.append(StalledWatcher(task: task, end: end))
    }
    return watchers
  }
}
