/// The state machine of `TaskTurns`: the operations of owners that run, and those that wait.
///
/// An operation waits while as many run as may, of all owners or of its own. The operations of one owner begin in the order in which
/// they came. Owners with waiting operations take turns, except while they have as many running operations as they may.
package struct TurnSchedule<Owner: Hashable, Waiter: AnyObject> {
  /// The maximum numbers of operations.
  package struct Limits: Sendable {
    let running, runningPerOwner, waitingPerOwner: Int

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - running: the number of operations that run.
    ///   - runningPerOwner: the number of one owner's operations that run.
    ///   - waitingPerOwner: the number of one owner's operations that wait.
    package init(running: Int = .max, runningPerOwner: Int = .max, waitingPerOwner: Int = .max) {
      (self.running, self.runningPerOwner, self.waitingPerOwner) = (running, runningPerOwner, waitingPerOwner)
    }
  }

  /// The beginning of an operation.
  package enum Beginning: Sendable {
    case run, wait, reject
  }

  private struct Turns {
    var running = 0
    /// The first one is the next to run.
    var waiting: [Waiter] = []
  }

  private let limits: Limits
  private var owners: [Owner: Turns] = [:]
  /// The owners with waiting operations, in the order of their turns. Empty without a limit for all owners, because nobody then waits
  /// for another owner.
  private var ring: [Owner] = []
  /// The number of operations that run.
  package private(set) var running = 0

  /// Creates a schedule without operations.
  package init(_ limits: Limits) {
    self.limits = limits
  }

  /// Whether no operation runs or waits.
  package var isIdle: Bool { owners.isEmpty }

  /// The number of operations that wait.
  package var waitingCount: Int { owners.values.reduce(0) { $0 + $1.waiting.count } }

  /// Returns the number of an owner's operations that wait.
  package func waitingCount(of owner: Owner) -> Int { owners[owner]?.waiting.count ?? 0 }

  /// Begins an operation, or adds its waiter.
  package mutating func begin(_ owner: Owner, _ waiter: Waiter) -> Beginning {
    if mayRun(owner) {
      start(owner)
      return .run
    }
    let count = waitingCount(of: owner)
    guard count < limits.waitingPerOwner else { return .reject }
    if count == 0, takesTurns { ring.append(owner) }
    owners[owner, default: Turns()].waiting.append(waiter)
    return .wait
  }

  /// Ends an operation.
  ///
  /// - Returns: the waiter whose turn it is now, if any may run.
  package mutating func end(_ owner: Owner) -> Waiter? {
    running -= 1
    owners[owner]?.running -= 1
    forgetIfIdle(owner)
    return takesTurns ? next() : next(of: owner)
  }

  /// Removes a waiter whose task was canceled.
  ///
  /// - Returns: the waiter whose turn it is now, if the turn had already passed to the removed one.
  package mutating func cancel(_ owner: Owner, _ waiter: Waiter) -> Waiter? {
    guard let index = owners[owner]?.waiting.firstIndex(where: { $0 === waiter }) else { return end(owner) }
    owners[owner]?.waiting.remove(at: index)
    if takesTurns, waitingCount(of: owner) == 0 { ring.removeAll { $0 == owner } }
    forgetIfIdle(owner)
    return nil
  }

  private func mayRun(_ owner: Owner) -> Bool {
    running < limits.running && (owners[owner]?.running ?? 0) < limits.runningPerOwner
  }

  private mutating func start(_ owner: Owner) {
    running += 1
    owners[owner, default: Turns()].running += 1
  }

  private var takesTurns: Bool { limits.running < .max }

  private mutating func next() -> Waiter? {
    guard let index = ring.firstIndex(where: mayRun), let waiter = next(of: ring[index]) else { return nil }
    let owner = ring.remove(at: index)
    if waitingCount(of: owner) > 0 { ring.append(owner) }
    return waiter
  }

  private mutating func next(of owner: Owner) -> Waiter? {
    guard waitingCount(of: owner) > 0, mayRun(owner) else { return nil }
    start(owner)
    return owners[owner]?.waiting.removeFirst()
  }

  private mutating func forgetIfIdle(_ owner: Owner) {
    if let turns = owners[owner], turns.running == 0, turns.waiting.isEmpty { owners[owner] = nil }
  }
}
