import ToDoModel
import ToDoRPC

/// The state machine of a run: determines which requests are sent, and records their outcomes. Callers supply the time.
struct LoadStateMachine {
  private var pacing: Pacing
  /// The time at which the run was stopped.
  private var end: Nanoseconds?
  private var workload: Workload
  private(set) var recorder = Recorder()
  /// The requests that completed since the last report of progress.
  private(set) var progress = Progress()

  init(_ plan: LoadPlan, _ workload: Workload) {
    pacing = Pacing(plan.pace, connections: plan.connections, limit: plan.inFlight, warmUp: plan.warmUp)
    self.workload = workload
  }

  /// Returns the next request of a connection if the connection is to send one now.
  ///
  /// - Parameters:
  ///   - hadCapacity: Whether the request could have been sent when it was due, so that the client caused any delay.
  ///   - time: Returns the time for the IDs of new items.
  mutating func nextRequest(
    on connectionIndex: Int, at now: Nanoseconds, hadCapacity: Bool, time: () -> Timestamp
  ) -> InFlightRequest? {
    guard let request = pacing.nextRequest(on: connectionIndex, at: now) else { return nil }
    let (operation, item) = workload.next(at: time)
    if hadCapacity, request.isMeasured { recorder.recordLateness(now - request.due) }
    return InFlightRequest(
      operation: operation, due: request.due, sent: now, isMeasured: request.isMeasured, item: item)
  }

  /// Records that a request completed or failed.
  mutating func finish(_ request: InFlightRequest, on connectionIndex: Int, at now: Nanoseconds, code: StatusCode) {
    pacing.finishRequest(on: connectionIndex)
    workload.finish(request.operation, item: request.item, succeeded: code == .ok)
    progress.record(now - request.due, isError: code != .ok)
    guard request.isMeasured else { return }
    recorder.record(
      CompletedRequest(operation: request.operation, due: request.due, sent: request.sent, ended: now, code: code))
  }

  /// Returns the numbers of the requests in an open loop that have become due since the last call.
  ///
  /// Request `n` belongs to connection `n mod connections`.
  mutating func advance(to now: Nanoseconds) -> Range<Int> { pacing.advance(to: now) }

  /// The time at which the next request of an open loop becomes due, or `nil` if there is none.
  var nextDue: Nanoseconds? { pacing.nextDue }

  /// Returns whether no more requests are sent and none is in flight.
  func hasEnded(at now: Nanoseconds) -> Bool { pacing.isOver(at: now) && pacing.inFlight == 0 }

  /// Returns whether no more requests are sent.
  func isOver(at now: Nanoseconds) -> Bool { pacing.isOver(at: now) }

  /// Stops sending, and records the requests that were due but not sent.
  mutating func stop(at now: Nanoseconds) {
    guard end == nil else { return }
    end = now
    _ = pacing.advance(to: now)
    let pacing = pacing
    pacing.forEachUnsent { due in recorder.recordUnsent(workload.nextOperation(), due: due, end: now) }
    self.pacing.stop()
  }

  /// The length of the measured part: as planned or until it was stopped, and until the last request completed.
  var elapsed: Nanoseconds { max(recorder.lastCompletion, min(pacing.plannedEnd, end ?? 0)) }

  // MARK: Items

  func id(_ item: Int) -> ItemID { workload.ids[item] }

  func newItem(_ item: Int) -> NewItem { workload.newItem(item) }

  mutating func toggle(_ item: Int) -> Bool { workload.toggle(item) }

  func isMoved(_ item: Int) -> Bool { workload.isMoved(item) }

  /// The IDs of all items that the run has added or tried to add.
  var ids: [ItemID] { workload.ids }

  // MARK: Progress

  /// Returns the progress since the last call.
  mutating func takeProgress() -> Progress {
    defer { progress = Progress() }
    return progress
  }
}

/// A request that was sent and has not completed.
struct InFlightRequest: Equatable {
  var operation: Operation
  var due: Nanoseconds
  var sent: Nanoseconds
  var isMeasured: Bool
  /// The index of the run's item that the request reads, changes or adds.
  var item: Int
}

/// A request that completed or failed.
struct CompletedRequest: Equatable {
  var operation: Operation
  var due: Nanoseconds
  var sent: Nanoseconds
  var ended: Nanoseconds
  /// `ok`, or the code of the error.
  var code: StatusCode = .ok
}
