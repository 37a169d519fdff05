import Testing
import ToDoModel
import ToDoRPC
import ToDoTestSupport

/// Watches until the last revision. It leaves, returns and stalls at random.
struct FeedWatcher: Sendable {
  let name: String
  let service: any ToDoService
  let state: ItemState
  var filter = ItemFilter()
  let seed: UInt64
  let progress: OperationCounter
  /// The total number of operations of all writers.
  let total: Int

  func run(until lastRevision: FinalRevision) async throws -> FeedRecord {
    var random = SeededGenerator(seed: seed)
    var record = FeedRecord(
      watcher: "\(name) (\(state)\(filter.isEmpty ? "" : ", filtered"))", state: state, filter: filter)
    var start = [WatchStart.now, .after(.initial), .snapshot].randomElement(using: &random) ?? .now
    while true {
      try Task.checkCancellation()
      record.entries.append(.started(start))
      // The number of events until the watcher leaves.
      var patience = Int.random(in: 1...60, using: &random)
      do {
        let watch = Subscription(service.watch(from: start, state: state, filter: filter))
        while let event = try await watch.next() {
          record.entries.append(.received(event))
          if let next = event.resumption { start = .after(next) }
          if case .restarted = event { start = .snapshot }
          if case .after(let revision) = start, let last = lastRevision.revision, revision >= last { return record }
          if Int.random(in: 0..<40, using: &random) == 0 {
            await progress.wait(for: min(total, progress.value + Int.random(in: 1...80, using: &random)))
          }
          patience -= 1
          if patience == 0, case .after = start { break }
        }
      } catch ToDoError.watchTooSlow(let revision) {
        start = .after(revision)
      } catch ToDoError.revisionCompacted {
        record.entries.append(.received(.restarted))
        start = .snapshot
      } catch let error as RPCError where error.code == .unavailable {
        await Task.yield()
      }
    }
  }
}

extension WatchEvent {
  /// The revision to resume from after this event, if the event names one.
  fileprivate var resumption: Revision? {
    switch self {
    case .changes(let set): set.revision
    case .progress(let revision), .snapshotEnd(let revision): revision
    case .snapshotPage, .restarted: nil
    }
  }
}
