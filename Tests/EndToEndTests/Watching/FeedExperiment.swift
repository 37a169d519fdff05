import Synchronization
import ToDoModel
import ToDoRPC
import ToDoTestSupport

/// Concurrent writers that change a list and move items between it and another one at random, and watchers that leave, return
/// and stall.
struct FeedExperiment: Sendable {
  /// Returns the lists that a writer or a watcher uses. Their default list is observed.
  let lists: @Sendable () -> any ToDoListService
  /// Returns the feed that a watcher observes, of a list from which items move elsewhere.
  var feed: @Sendable (_ list: any ToDoService, _ elsewhere: any ToDoService) -> any ToDoService = { list, _ in list }
  var seed: UInt64 = 1
  var writers = 4
  /// The number of operations of each writer.
  var operations = 150
  var watchers = 9
  /// The interruptions, in order.
  var interruptions: [Interruption] = []

  struct Interruption: Sendable {
    /// The number of operations that precede the interruption.
    let count: Int
    let perform: @Sendable () async throws -> Void
  }

  /// Runs the experiment, and returns the checker with the violations.
  func run() async throws -> FeedChecker {
    let progress = OperationCounter()
    let lastRevision = FinalRevision()
    let elsewhere = try await lists().createList(NewList(name: "Elsewhere")).id
    let (records, finished, last) = try await withThrowingTaskGroup(of: FeedRecord.self) { group in
      for number in 0..<watchers {
        let watcher = FeedWatcher(
          name: "watcher \(number)", service: feed(to: elsewhere), state: ItemState.allCases[number % 3],
          filter: number < 6 ? ItemFilter() : ItemFilter(priorities: [.high]),
          seed: seed &* 1_000 &+ UInt64(number), progress: progress, total: writers * operations)
        group.addTask { try await watcher.run(until: lastRevision) }
      }
      let finished = try await write(progress, elsewhere)
      // The last change concerns the watchers of every state and filter.
      let last = try await end(lastRevision)
      let records = try await group.reduce(into: [FeedRecord]()) { $0.append($1) }
      return (records, finished, last)
    }
    let final = try await lists().items(in: .default).everyItem()
    return FeedChecker(
      records, acknowledged: finished.flatMap(\.acknowledged) + last, left: Set(finished.flatMap(\.leftIDs)),
      final: final.items, revision: final.revision)
  }

  /// Returns the feed of the observed list, from which items move to another one.
  private func feed(to elsewhere: ListID) -> any ToDoService {
    let lists = lists()
    return feed(lists.items(in: .default), lists.items(in: elsewhere))
  }

  /// Runs the writers and the interruptions.
  ///
  /// - Returns: The writers, after their operations.
  private func write(_ progress: OperationCounter, _ elsewhere: ListID) async throws -> [FeedWriter] {
    try await withThrowingTaskGroup(of: FeedWriter?.self) { group in
      group.addTask { [interruptions] in
        for interruption in interruptions {
          await progress.wait(for: interruption.count)
          try await interruption.perform()
        }
        return nil
      }
      for number in 0..<writers {
        var writer = FeedWriter(
          lists: lists(), elsewhere: elsewhere, number: number, seed: seed &* 77 &+ UInt64(number))
        group.addTask {
          for _ in 0..<operations {
            do { try await writer.performOperation() } catch {
              // No watcher waits for operations that will not happen.
              progress.end()
              throw error
            }
            progress.count()
          }
          return writer
        }
      }
      return try await group.reduce(into: []) { writers, writer in if let writer { writers.append(writer) } }
    }
  }

  /// Checks an occurrence, so that the final list always has a done one.
  private func checkOccurrence(in service: any ToDoService) async throws {
    let repetition = Repetition(.calendar(RecurrenceRule(.daily)))
    let content = ItemContent(title: "Chore", due: .date(.epoch), repetition: repetition)
    let chore = try await retryingWhileUnavailable {
      try await service.addItem(
        NewItem(id: ItemID(high: .max - 1, low: seed), content: content), options: SaveOptions(allowsDuplicate: true))
    }
    _ = try await retryingWhileUnavailable { try await service.checkItem(chore.id, ifRevision: chore.revision) }
  }

  /// Adds an item and checks it, so that the last revision concerns every watcher.
  private func end(_ lastRevision: FinalRevision) async throws -> [ChangeSet] {
    let service = lists().items(in: .default)
    try await checkOccurrence(in: service)
    let id = ItemID(high: .max, low: seed)
    let item = try await retryingWhileUnavailable {
      try await service.addItem(
        NewItem(id: id, content: ItemContent(title: "The end", priority: .high)),
        options: SaveOptions(allowsDuplicate: true))
    }
    // The revision is known before the write, because all other writers have finished.
    lastRevision.set(Revision(item.revision.number + 1))
    let checked = try await retryingWhileUnavailable { try await service.checkItem(id, ifRevision: nil) }
    return [ChangeSet(revision: checked.revision, changes: [.put(checked, .checked)])]
  }
}

/// The last revision of an experiment, once it is known.
final class FinalRevision: Sendable {
  private let state = Mutex<Revision?>(nil)

  var revision: Revision? { state.withLock(\.self) }

  func set(_ revision: Revision) { state.withLock { $0 = revision } }
}

/// Repeats an operation until the server is available.
func retryingWhileUnavailable<Value>(_ body: () async throws -> Value) async throws -> Value {
  while true {
    do { return try await body() } catch let error as RPCError where error.code == .unavailable {
      await Task.yield()
    }
  }
}

extension ToDoService {
  /// Returns the complete list and its revision, while there are no writes.
  fileprivate func everyItem() async throws -> (items: [ToDoItem], revision: Revision) {
    var items: [ToDoItem] = []
    var query = ItemQuery(pageSize: 1000)
    while true {
      let page = try await retryingWhileUnavailable { try await self.items(query) }
      items += page.items
      guard let token = page.nextPageToken else { return (items, page.revision) }
      query.pageToken = token
    }
  }
}

/// A count of operations, which stalled watchers wait for.
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

  /// Ends all waits, current and future ones.
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
