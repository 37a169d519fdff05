import Synchronization
import ToDoModel
import ToDoSupport

/// Sends the reminders in one list to those who use it, or those in a shared list to one user, until its task is canceled.
///
/// It follows the list's changes, holds the earliest reminders (`ReminderHorizon`), and sleeps until the first one is due. Then
/// it claims the reminder, in an edit bound to the item's revision, or for one user: it snoozes the reminder for a minute. It
/// sends the message, and acknowledges the reminder once a target has taken it. If the process ends in between, the reminder is due
/// again after that minute. A canceled task completes the attempt that it has begun.
actor ListReminders {
  /// The sender, the clocks and the limits that all lists share.
  struct Environment: Sendable {
    let sender: any NotificationSender
    let report: DeliveryReport
    let slots: DeliverySlots
    let schedule: ReminderSchedule
    /// The clock that measures the time until a reminder is due.
    let clock: any Clock<Duration>
    let wallClock: any WallClock
  }

  private let service: any ToDoService
  private let owner: OwnerID
  /// The user to whom alone the reminders are sent, and who does not own the list; `nil` for all others.
  private let member: OwnerID?
  private let environment: Environment
  private let targets: @Sendable () async -> [NotificationTarget]
  private let name: @Sendable () async -> String?
  private let claim: ReminderClaim
  /// The states of the user to whom a shared list's reminders are sent; `nil` if the states are the items' own.
  private let personal: (any PersonalReminderStates)?
  /// The states that were read last.
  private var states: [ItemID: [Reminder]] = [:]
  private var horizon: ReminderHorizon
  private var attempts = DeliveryAttempts()
  private var retries = DeliveryRetries()
  /// The sleep until the next reminder is due.
  private var sleep: CancellableWaiter<Void>?
  /// Whether the task is canceled. The attempts in flight, which have their own tasks, are completed, and no other one begins.
  private let isEnding = Atomic(false)
  /// The wait until the list must be read again.
  private var exhaustion: CancellableWaiter<Void>?

  /// The maximum time between two looks at the clock, which can be set while a task sleeps.
  static let interval = Duration.seconds(60)
  /// The maximum number of targets to which a message is sent at the same time.
  static let width = 8
  /// The time after which no further target is tried, in microseconds. A lease lasts for a minute, and an attempt for 10 s.
  private static let attemptTime: Int64 = 45_000_000
  private static let retryDelay = DoublingDelay(from: .seconds(1), to: interval)

  /// - Parameters:
  ///   - service: the list.
  ///   - owner: the user who owns the list, or to whom alone a shared list's reminders are sent.
  ///   - isMember: whether that user does not own the list.
  ///   - targets: returns where the list's reminders are to be sent now.
  ///   - name: returns the list's name now; `nil` for a default list.
  ///   - personal: the states of the user to whom a shared list's reminders are sent.
  init(
    _ service: any ToDoService, of owner: OwnerID, isMember: Bool = false, _ environment: Environment,
    personal: (any PersonalReminderStates)? = nil,
    targets: @escaping @Sendable () async -> [NotificationTarget], name: @escaping @Sendable () async -> String?
  ) {
    self.service = service
    self.owner = owner
    member = isMember ? owner : nil
    self.environment = environment
    (self.targets, self.name) = (targets, name)
    self.personal = personal
    claim = ReminderClaim(service: service, schedule: environment.schedule, personal: personal)
    horizon = ReminderHorizon(schedule: environment.schedule)
  }

  /// Sends reminders until the task is canceled.
  func run() async {
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        group.addTask { await self.follow() }
        group.addTask { await self.tell() }
        if let personal, personal.isShared {
          group.addTask { for await states in personal.updates() { await self.take(states) } }
        }
      }
    } onCancel: {
      isEnding.store(true, ordering: .relaxed)
    }
  }

  // MARK: Changes

  /// Reads the list and follows its changes. Begins again after an error, and when the reminders that were left out are due next.
  private func follow() async {
    var failures = 0
    while !Task.isCancelled {
      // Reminders that the user was told about are not held again.
      if let personal, let current = try? await personal.states() { states = current }
      apply(.restarted)
      let isExhausted = await withTaskGroup { group in
        group.addTask { await self.applyEvents() }
        group.addTask { await self.waitForExhaustion() }
        defer { group.cancelAll() }
        return await group.next() ?? false
      }
      failures = isExhausted ? 0 : failures + 1
      if !isExhausted { try? await environment.clock.sleep(for: Self.retryDelay.after(failures)) }
    }
  }

  /// - Returns: `false`, after an error.
  private func applyEvents() async -> Bool {
    do {
      for try await event in service.watch(from: .snapshot, state: .toDo) { apply(event) }
    } catch {
      // The caller begins again.
    }
    return false
  }

  /// - Returns: whether the list must be read again; `false` if the task was canceled.
  private func waitForExhaustion() async -> Bool {
    if horizon.isExhausted { return true }
    let waiter = CancellableWaiter<Void>()
    exhaustion = waiter
    return (try? await waiter.value()) != nil
  }

  private func apply(_ event: WatchEvent) {
    let (states, isShared) = (states, personal?.isShared ?? false)
    change { $0.apply(event) { $0.applying(states[$0.id] ?? [], isShared: isShared) } }
  }

  private func change(_ body: (inout ReminderHorizon) -> Void) {
    let former = (horizon.isComplete, horizon.nextTime)
    body(&horizon)
    if former != (horizon.isComplete, horizon.nextTime) { sleep?.resume() }
    if horizon.isExhausted { exhaustion?.resume() }
  }

  // MARK: States

  /// Takes other states, which clients and other servers have changed. While they cannot be read, a claim finds those that are stored.
  private func take(_ current: [ItemID: [Reminder]]) async {
    let changed = current.filter { states[$0.key] != $0.value }
    states = current
    // Snoozed reminders are not held, because they were acknowledged before.
    for (id, reminders) in changed where reminders.contains(where: { $0.snoozedUntil != nil }) {
      guard let item = try? await service.item(id) else { continue }
      change { $0.put(item.applying(reminders, isShared: true)) }
    }
  }

  // MARK: Reminders

  private func tell() async {
    var failures = 0
    while !Task.isCancelled {
      var delay = Self.interval
      if horizon.isComplete {
        failures = await tellDue() ? 0 : failures + 1
        delay = failures == 0 ? delayUntilNext : Self.retryDelay.after(failures)
      }
      await pause(for: delay)
    }
  }

  private var delayUntilNext: Duration {
    let times = [horizon.isComplete ? horizon.nextTime : nil, retries.nextTime].compactMap(\.self)
    guard let next = times.min() else { return Self.interval }
    let rest = next.microseconds.subtractingReportingOverflow(environment.wallClock.now().microseconds)
    return rest.overflow ? Self.interval : min(max(.microseconds(rest.partialValue), .zero), Self.interval)
  }

  /// Sleeps, at most until another reminder is the next one.
  private func pause(for delay: Duration) async {
    guard delay > .zero else { return await Task.yield() }
    let waiter = CancellableWaiter<Void>()
    sleep = waiter
    await withTaskGroup { [clock = environment.clock] group in
      group.addTask { try? await waiter.value() }
      group.addTask { try? await clock.sleep(for: delay) }
      await group.next()
      group.cancelAll()
    }
    sleep = nil
  }

  /// Sends the reminders that are due now.
  ///
  /// - Returns: whether the list could be read and changed.
  private func tellDue() async -> Bool {
    var isSuccess = true
    for id in horizon.dueItems(at: environment.wallClock.now()) where !Task.isCancelled {
      do {
        try await environment.slots.run(for: owner) { try await tell(id) }
      } catch {
        isSuccess = false
        if !(error is CancellationError) { environment.report.record(error, in: owner, for: await targets()) }
      }
    }
    // Only one, so that targets that do not answer delay later reminders by one attempt.
    if !Task.isCancelled, let entry = retries.takeNext(at: environment.wallClock.now()) {
      try? await environment.slots.run(for: owner) { await Task { await retry(entry) }.value }
    }
    return isSuccess
  }

  /// Sends an item's due reminders: one after the other, because a lease lasts for one attempt, and the item, its users
  /// and their targets can change meanwhile.
  private func tell(_ id: ItemID) async throws {
    while try await tellNext(id) { try Task.checkCancellation() }
  }

  /// - Returns: whether a reminder was claimed.
  private func tellNext(_ id: ItemID) async throws -> Bool {
    let (targets, now) = (await targets(), environment.wallClock.now())
    let item: ToDoItem
    do { item = try await service.item(id) } catch ToDoError.itemNotFound {
      change { $0.remove(id) }
      return false
    }
    // Nobody is told any longer, and the list is about to be left.
    guard !targets.isEmpty else {
      change { $0.remove(id) }
      return false
    }
    let attempts = attempts
    let claimed = try await claim.lease(item, at: now) { attempts.lease(of: .init(id, $0)) }
    guard let (leased, entry) = claimed else {
      change { $0.remove(id) }
      return false
    }
    change { $0.put(leased) }
    guard let entry else { return false }
    // A task of its own, so that no target gets a message again because the server has shut down before acknowledging it.
    try await Task { try await send(leased, entry, to: targets, at: now) }.value
    return true
  }

  /// Sends a claimed reminder, and acknowledges it unless another attempt follows.
  private func send(
    _ item: ToDoItem, _ entry: ReminderSchedule.Entry, to targets: [NotificationTarget], at now: Timestamp
  ) async throws {
    let key = DeliveryAttempts.Key(item.id, entry)
    let former = attempts.message(of: key)
    let message = NotificationMessage(item, entry, of: await name(), for: member, at: now, continuing: former)
    if !attempts.isTaken(key) {
      let outcomes = await outcomes(of: message, targets)
      let failed = targets.filter { if case .failed = outcomes[$0.id] { true } else { false } }
      if outcomes.values.contains(.delivered) {
        attempts.take(key, message, at: now)
        for target in failed { retry(message, of: item.id, for: target.id, failures: 1) }
      } else {
        if !failed.isEmpty, attempts.fail(key, message, at: now) { return }
        environment.report.count(.dropped)
      }
    }
    let acknowledged = try await claim.confirm(entry, of: item)
    attempts.remove(key)
    change { if let acknowledged { $0.put(acknowledged) } else { $0.remove(item.id) } }
  }

  /// Sends a message again to a target that did not take it, unless the target is gone, or the item is another since.
  private func retry(_ entry: DeliveryRetries.Entry) async {
    guard let target = await targets().first(where: { $0.id == entry.target }),
      let item = try? await service.item(entry.item), !item.isDone, entry.message.describes(item)
    else { return }
    let outcome = await environment.sender.send(entry.message, to: target)
    environment.report.record(outcome, of: target)
    guard case .failed = outcome else { return }
    retry(entry.message, of: entry.item, for: entry.target, failures: entry.failures + 1)
  }

  private func retry(
    _ message: NotificationMessage, of item: ItemID, for target: NotificationTargetID, failures: Int
  ) {
    let isDropped = retries.add(
      message, of: item, for: target, failures: failures, at: environment.wallClock.now())
    if isDropped { environment.report.count(.dropped) }
  }

  /// Sends a message to targets, and ends before the lease does.
  private func outcomes(
    of message: NotificationMessage, _ targets: [NotificationTarget]
  ) async -> [NotificationTargetID: DeliveryOutcome] {
    let end = Timestamp(microseconds: environment.wallClock.now().microseconds + Self.attemptTime)
    return await withTaskGroup(of: (NotificationTargetID, DeliveryOutcome).self) { [environment] group in
      var rest = targets[...]
      func start() {
        guard !isEnding.load(ordering: .relaxed), let target = rest.popFirst() else { return }
        group.addTask {
          guard environment.wallClock.now() <= end else { return (target.id, .failed("other targets were too slow")) }
          let outcome = await environment.sender.send(message, to: target)
          environment.report.record(outcome, of: target)
          return (target.id, outcome)
        }
      }
      for _ in 0..<Self.width { start() }
      var outcomes: [NotificationTargetID: DeliveryOutcome] = [:]
      for await (target, outcome) in group {
        outcomes[target] = outcome
        start()
      }
      for target in rest { outcomes[target.id] = .failed("the server shuts down") }
      return outcomes
    }
  }
}
