import TTRPC
import ToDoModel

/// A run without its connections: which requests are sent, and what they come to. Time comes in from outside.
struct LoadStateMachine {
  private var pacing: Pacing
  /// When it was stopped.
  private var end: Nanoseconds?
  private var workload: Workload
  private(set) var recorder = Recorder()
  /// What was answered since the last report of progress.
  private(set) var progress = Progress()

  init(_ plan: LoadPlan, _ workload: Workload) {
    pacing = Pacing(plan.pace, connections: plan.connections, limit: plan.inFlight, warmUp: plan.warmUp)
    self.workload = workload
  }

  /// The next request of a connection, if it is to send one now.
  ///
  /// - Parameters:
  ///   - time: for the ids of new items.
  ///   - hadCapacity: whether it could have been sent as soon as it was due, so that whatever it is late is the client's doing.
  mutating func nextRequest(
    on connectionIndex: Int, at now: Nanoseconds, hadCapacity: Bool, time: () -> Timestamp
  ) -> InFlightRequest? {
    guard let request = pacing.nextRequest(on: connectionIndex, at: now) else { return nil }
    let (operation, item) = workload.next(at: time)
    if hadCapacity, request.isMeasured { recorder.recordLateness(now - request.due) }
    return InFlightRequest(
      operation: operation, due: request.due, sent: now, isMeasured: request.isMeasured, item: item)
  }

  /// A request was answered, or has failed.
  mutating func finish(_ request: InFlightRequest, on connectionIndex: Int, at now: Nanoseconds, code: StatusCode) {
    pacing.finishRequest(on: connectionIndex)
    progress.record(now - request.due, isError: code != .ok)
    guard request.isMeasured else { return }
    recorder.record(
      CompletedRequest(operation: request.operation, due: request.due, sent: request.sent, ended: now, code: code))
  }

  /// Which requests of an open loop have become due: the numbers' remainders are their connections.
  mutating func advance(to now: Nanoseconds) -> Range<Int> { pacing.advance(to: now) }

  var nextDue: Nanoseconds? { pacing.nextDue }

  /// Whether all has been sent and answered.
  func hasEnded(at now: Nanoseconds) -> Bool { pacing.isOver(at: now) && pacing.inFlight == 0 }

  func isOver(at now: Nanoseconds) -> Bool { pacing.isOver(at: now) }

  /// Sends nothing more, and notes what has waited in vain.
  mutating func stop(at now: Nanoseconds) {
    guard end == nil else { return }
    end = now
    _ = pacing.advance(to: now)
    let pacing = pacing
    pacing.forEachUnsent { due in recorder.recordUnsent(workload.nextOperation(), due: due, end: now) }
    self.pacing.stop()
  }

  /// How long the measured part was: as long as planned, or until it was stopped, and until the last answer.
  var elapsed: Nanoseconds { max(recorder.lastCompletion, min(pacing.plannedEnd, end ?? 0)) }

  // MARK: Items

  func id(_ item: Int) -> ItemID { workload.ids[item] }

  func newItem(_ item: Int) -> NewItem { workload.newItem(item) }

  mutating func toggle(_ item: Int) -> Bool { workload.toggle(item) }

  /// All items that the run has made, whether the server has them or not.
  var ids: [ItemID] { workload.ids }

  // MARK: Progress

  mutating func takeProgress() -> Progress {
    defer { progress = Progress() }
    return progress
  }
}
