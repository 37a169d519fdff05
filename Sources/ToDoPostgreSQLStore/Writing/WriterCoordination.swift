#if PostgreSQL
import Dispatch
import Synchronization
import ToDoModel
import ToDoRules

/// The observers and the locks that a store's writers share.
final class WriterCoordination: Sendable {
  /// The observers of the commits.
  let observers = CommitObservers()
  let turn = BodyTurn()
  let gates = ListGates()
  private let reports = Mutex(())

  /// Reports commits to the observers. The caller holds the gates of the lists, so a list's commits are reported
  /// in order.
  func report(_ commits: [ListCommit]) {
    guard !commits.isEmpty else { return }
    reports.withLock { _ in observers.report(commits) }
  }
}

/// Lets the bodies of several writers run one at a time.
final class BodyTurn: Sendable {
  private let semaphore = DispatchSemaphore(value: 1)

  /// Runs a body when no other runs.
  func run<Value>(_ body: () throws -> Value) rethrows -> Value {
    semaphore.wait()
    defer { semaphore.signal() }
    return try body()
  }

  /// Lets other bodies run while a part of a body runs.
  func yield<Value>(_ part: () throws -> Value) rethrows -> Value {
    semaphore.signal()
    defer { semaphore.wait() }
    return try part()
  }
}

/// Admits one writer at a time to each list, from the lock of the list until its commit is reported.
///
/// The locks of the database are released by the commit. Without gates, a second writer could commit and report the
/// next revision before the first one has reported its own.
final class ListGates: Sendable {
  /// The writers that wait for each list that a writer holds.
  private let held = Mutex<[OwnerID: [DispatchSemaphore]]>([:])

  /// Waits for lists one after the other.
  ///
  /// - Parameter owners: the lists, in the order of `sortedForLocks`.
  func acquire(_ owners: [OwnerID]) {
    for owner in owners {
      let turn = held.withLock { held -> DispatchSemaphore? in
        guard held[owner] != nil else {
          held[owner] = []
          return nil
        }
        let turn = DispatchSemaphore(value: 0)
        held[owner, default: []].append(turn)
        return turn
      }
      turn?.wait()
    }
  }

  /// Hands lists over to the writers that wait for them.
  func release(_ owners: [OwnerID]) {
    held.withLock { held in
      for owner in owners {
        guard let first = held[owner]?.first else {
          held[owner] = nil
          continue
        }
        held[owner]?.removeFirst()
        first.signal()
      }
    }
  }
}
#endif
