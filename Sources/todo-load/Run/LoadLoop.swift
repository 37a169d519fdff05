import NIOCore
import ToDoModel
import ToDoRPC
import ToDoTTRPC

/// Drives the connections of a run as `LoadStateMachine` determines.
///
/// It is confined to one event loop.
final class LoadLoop {
  let plan: LoadPlan
  let clock: RunClock
  private let loop: any EventLoop
  private var machine: LoadStateMachine
  private let writer: RequestWriter
  private let reader = ResponseReader()
  private let observer: LoadObserver
  private var handlers: [LoadConnectionHandler?]
  private var closedBytes = (received: 0, sent: 0)
  private var startBytes = (received: 0, sent: 0)
  private var timer: Scheduled<Void>?
  private var timerDue: Nanoseconds?
  private var lastReport: Nanoseconds
  /// The time of the next check for requests that exceeded the timeout.
  private var nextExpiry: Nanoseconds
  private var loss: ConnectionLoss
  private var ending = LoadReport.Ending.asPlanned
  private var isFinished = false
  private let outcomePromise: EventLoopPromise<LoadOutcome>

  init(_ plan: LoadPlan, _ workload: Workload, metadata: Metadata, observer: LoadObserver, on loop: any EventLoop) {
    self.plan = plan
    self.loop = loop
    self.observer = observer
    clock = RunClock(startingIn: plan.warmUp)
    machine = LoadStateMachine(plan, workload)
    writer = RequestWriter(metadata: metadata, timeout: plan.sendsTimeout ? .nanoseconds(plan.timeout) : nil)
    (lastReport, nextExpiry) = (-plan.warmUp, -plan.warmUp)
    loss = ConnectionLoss(limit: plan.timeout)
    handlers = Array(repeating: nil, count: plan.connections)
    outcomePromise = loop.makePromise()
  }

  /// The outcome, once the run has ended.
  var outcome: EventLoopFuture<LoadOutcome> { outcomePromise.futureResult }

  func start() {
    scheduleCheck()
    loop.assumeIsolated().scheduleTask(deadline: clock.deadline(0)) { self.startMeasuring() }
    tick()
  }

  private func startMeasuring() {
    startBytes = bytes
    observer.onStart()
  }

  // MARK: Connections

  func attach(_ handler: LoadConnectionHandler, at connectionIndex: Int) {
    guard !isFinished else { return handler.close() }
    // The handler of a closed channel would never call `detach`.
    guard handler.isActive else { return }
    handlers[connectionIndex] = handler
    handler.fill(hadCapacity: false)
  }

  func detach(_ handler: LoadConnectionHandler, at connectionIndex: Int) {
    closedBytes.received += handler.bytesIn
    closedBytes.sent += handler.bytesOut
    if handlers[connectionIndex] === handler { handlers[connectionIndex] = nil }
  }

  private var bytes: (received: Int, sent: Int) {
    handlers.reduce(closedBytes) { ($0.received + ($1?.bytesIn ?? 0), $0.sent + ($1?.bytesOut ?? 0)) }
  }

  // MARK: Requests

  func nextRequest(on connectionIndex: Int, at now: Nanoseconds, hadCapacity: Bool) -> InFlightRequest? {
    machine.nextRequest(on: connectionIndex, at: now, hadCapacity: hadCapacity, time: observer.currentTime)
  }

  func write(_ request: InFlightRequest, on stream: StreamID, to output: inout ByteBuffer) {
    switch request.operation {
    case .get: writer.writeGet(machine.id(request.item), on: stream, to: &output)
    case .list: writer.writeList(on: stream, to: &output)
    case .add: writer.writeAdd(machine.newItem(request.item), on: stream, to: &output)
    case .check:
      let isChecked = machine.toggle(request.item)
      writer.writeCheck(machine.id(request.item), isChecked: isChecked, on: stream, to: &output)
    case .recur: writer.writeCheck(machine.id(request.item), isChecked: true, on: stream, to: &output)
    case .move:
      let lists = machine.isMoved(request.item) ? (plan.otherList, ListID.default) : (.default, plan.otherList)
      writer.writeMove(machine.id(request.item), from: lists.0, to: lists.1, on: stream, to: &output)
    }
  }

  func receive(_ data: ByteBuffer, for request: InFlightRequest, on connectionIndex: Int, at now: Nanoseconds) {
    let code = reader.code(data)
    if code == .ok, request.operation.isWrite, plan.watchers > 0, let revision = reader.revision(data) {
      observer.onAcknowledgement(revision, request.isMeasured)
    }
    finish(request, on: connectionIndex, at: now, code: code)
  }

  func finish(_ request: InFlightRequest, on connectionIndex: Int, at now: Nanoseconds, code: StatusCode) {
    machine.finish(request, on: connectionIndex, at: now, code: code)
  }

  // MARK: Time

  /// In an open loop: sends the requests that have become due, and sets the timer for the next one.
  func tick() {
    guard case .open = plan.pace, !isFinished else { return }
    let due = machine.advance(to: clock.now)
    // One call for each connection is enough: it sends all requests that are due on it.
    for number in due.suffix(handlers.count) { handlers[number % handlers.count]?.fill(hadCapacity: true) }
    guard let next = machine.nextDue, next != timerDue else { return }
    timer?.cancel()
    timerDue = next
    timer = loop.assumeIsolated().scheduleTask(deadline: clock.deadline(next)) {
      self.timerDue = nil
      self.tick()
    }
  }

  private static let checkInterval: TimeAmount = .milliseconds(10)

  private func scheduleCheck() {
    loop.assumeIsolated().scheduleTask(in: Self.checkInterval) { self.check() }
  }

  private func check() {
    guard !isFinished else { return }
    let now = clock.now
    expire(at: now)
    writer.release()
    reader.release()
    stopIfOver(at: now)
    if machine.hasEnded(at: now) { return finish(at: now) }
    // Requests that expired have released capacity.
    for handler in handlers { handler?.fill(hadCapacity: false) }
    reportProgress(at: now)
    scheduleCheck()
  }

  private func expire(at now: Nanoseconds) {
    guard now >= nextExpiry else { return }
    // A tenth of the timeout is precise enough, and avoids a pass over all connections at each check.
    nextExpiry = now + min(plan.timeout / 10, .second)
    for handler in handlers { handler?.expire(sentBefore: now - plan.timeout, at: now) }
  }

  private func stopIfOver(at now: Nanoseconds) {
    let isLost = loss.isServerLost(hasConnection: handlers.contains { $0 != nil }, at: now)
    if machine.isOver(at: now) { return machine.stop(at: now) }
    if observer.isCancelled() {
      ending = .interrupted
    } else if isLost {
      ending = .serverLost
    } else {
      return
    }
    machine.stop(at: now)
  }

  private func reportProgress(at now: Nanoseconds) {
    guard let onProgress = observer.onProgress, now - lastReport >= .second else { return }
    onProgress(now, machine.takeProgress(), (now - lastReport).seconds)
    lastReport = now
  }

  private func finish(at now: Nanoseconds) {
    isFinished = true
    timer?.cancel()
    observer.onEnd()
    let bytes = bytes
    outcomePromise.succeed(
      LoadOutcome(
        recorder: machine.recorder, ids: machine.ids, elapsed: machine.elapsed, end: now, ending: ending,
        bytesReceived: bytes.received - startBytes.received, bytesSent: bytes.sent - startBytes.sent))
    for handler in handlers { handler?.close() }
  }

  func reportProtocolError(_ description: String) { observer.onProtocolError(description) }
}

/// The time for which a run has had no connection.
struct ConnectionLoss {
  private let limit: Nanoseconds
  private var began: Nanoseconds?

  /// - Parameter limit: The time without a connection after which the server counts as lost.
  init(limit: Nanoseconds) {
    self.limit = limit
  }

  /// Records whether there is a connection, and returns whether the server counts as lost.
  mutating func isServerLost(hasConnection: Bool, at now: Nanoseconds) -> Bool {
    began = hasConnection ? nil : began ?? now
    return began.map { now - $0 >= limit } ?? false
  }
}
