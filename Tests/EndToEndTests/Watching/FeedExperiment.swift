import Synchronization
import TTRPC
import TestSupport
import ToDoModel

/// Writers that do what they like to a list, and watchers that come, go and stall meanwhile.
struct FeedExperiment: Sendable {
  /// Where each writer and each watcher finds the list.
  let service: @Sendable () -> any ToDoService
  var seed: UInt64 = 1
  var writers = 4
  /// How many operations each writer does.
  var operations = 150
  var watchers = 9
  /// What happens meanwhile, in this order.
  var interruptions: [Interruption] = []

  struct Interruption: Sendable {
    /// How many operations come before.
    let count: Int
    let perform: @Sendable () async throws -> Void
  }

  /// Runs it, and says what was promised and not kept.
  func run() async throws -> FeedChecker {
    let progress = OperationCounter()
    let ending = Ending()
    let (records, acknowledged) = try await withThrowingTaskGroup(of: FeedRecord.self) { group in
      for number in 0..<watchers {
        let watcher = FeedWatcher(
          name: "watcher \(number)", service: service(), state: ItemState.allCases[number % 3],
          seed: seed &* 1_000 &+ UInt64(number), progress: progress, total: writers * operations)
        group.addTask { try await watcher.run(until: ending) }
      }
      let acknowledged = try await write(progress)
      // Whoever watches whatever state is told of the last change.
      let last = try await end(service(), ending)
      let records = try await group.reduce(into: [FeedRecord]()) { $0.append($1) }
      return (records, acknowledged + last)
    }
    let final = try await service().everyItem()
    return FeedChecker(records, acknowledged: acknowledged, final: final.items, revision: final.revision)
  }

  /// - Returns: what was acknowledged.
  private func write(_ progress: OperationCounter) async throws -> [ChangeSet] {
    try await withThrowingTaskGroup(of: [ChangeSet].self) { group in
      group.addTask { [interruptions] in
        for interruption in interruptions {
          await progress.wait(for: interruption.count)
          try await interruption.perform()
        }
        return []
      }
      for number in 0..<writers {
        var writer = FeedWriter(service: service(), number: number, seed: seed &* 77 &+ UInt64(number))
        group.addTask {
          for _ in 0..<operations {
            do { try await writer.doSomething() } catch {
              // Nobody shall wait for operations that will not come.
              progress.end()
              throw error
            }
            progress.count()
          }
          return writer.acknowledged
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// Adds an item, checks it, and adds another, so that the last revision concerns everybody.
  private func end(_ service: any ToDoService, _ ending: Ending) async throws -> [ChangeSet] {
    let id = ItemID(high: .max, low: seed)
    let item = try await patiently {
      try await service.addItem(NewItem(id: id, content: ItemContent(title: "The end")), allowingDuplicate: true)
    }
    // Known before it is made: it is the next change, since nobody else writes any more.
    ending.set(Revision(item.revision.number + 1))
    let checked = try await patiently { try await service.checkItem(id, ifRevision: nil) }
    return [ChangeSet(revision: checked.revision, changes: [.put(checked, .checked)])]
  }
}

/// The last revision that there will be, once it is known.
final class Ending: Sendable {
  private let state = Mutex<Revision?>(nil)

  var revision: Revision? { state.withLock(\.self) }

  func set(_ revision: Revision) { state.withLock { $0 = revision } }
}

/// Repeats what a server that is restarting does not answer.
func patiently<Value>(_ body: () async throws -> Value) async throws -> Value {
  while true {
    do { return try await body() } catch let error as RPCError where error.code == .unavailable {
      await Task.yield()
    }
  }
}

extension ToDoService {
  /// The whole list and its revision, when nobody writes.
  fileprivate func everyItem() async throws -> (items: [ToDoItem], revision: Revision) {
    var items: [ToDoItem] = []
    var query = ItemQuery(pageSize: 1000)
    while true {
      let page = try await patiently { try await self.items(query) }
      items += page.items
      guard let token = page.nextPageToken else { return (items, page.revision) }
      query.pageToken = token
    }
  }
}

/// Counts operations; watchers that stall wait for it to go on.
final class OperationCounter: Sendable {
  private struct State {
    var count = 0
    var hasEnded = false
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var value: Int { state.withLock(\.count) }

  func count() {
    let woken = state.withLock { state in
      state.count += 1
      let woken = state.waiters.filter { $0.count <= state.count }
      state.waiters.removeAll { $0.count <= state.count }
      return woken
    }
    for waiter in woken { waiter.continuation.resume() }
  }

  /// Waits for nothing any more.
  func end() {
    let woken = state.withLock { state in
      defer { (state.waiters, state.hasEnded) = ([], true) }
      return state.waiters
    }
    for waiter in woken { waiter.continuation.resume() }
  }

  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard state.count < count, !state.hasEnded else { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isOver { continuation.resume() }
    }
  }
}
