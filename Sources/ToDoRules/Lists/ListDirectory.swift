import Synchronization
public import ToDoModel
package import ToDoSupport

/// The lists of all users in one process: a bounded cache over a store, and the waits for changes.
///
/// Changes by this directory are visible to its next look-up. `monitor` applies those of other processes.
public final class ListDirectory: Sendable {
  /// The usage of a user's lists at a time.
  private struct Sample {
    let usage: [OwnerID: ListUsage]
    let time: Duration
  }

  private struct Waiter {
    let owner: OwnerID
    let change: CancellableWaiter<Void>
  }

  private struct State {
    var cache = GenerationalCache<OwnerID, ListRecords>(costLimit: 20_000)
    var usages = GenerationalCache<OwnerID, Sample>(costLimit: 20_000)
    /// A number that grows with every change by this or another process. Records that were read before are not cached.
    var epoch = 0
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
  }

  private let store: any ListStore
  private let state = Mutex(State())
  private let uptime: @Sendable () -> Duration

  /// Creates the directory of a store. A process has one for each store.
  public convenience init(_ store: any ListStore) {
    let start = ContinuousClock.now
    self.init(store) { start.duration(to: .now) }
  }

  /// - Parameter uptime: returns a monotonic time.
  package init(_ store: any ListStore, uptime: @escaping @Sendable () -> Duration) {
    self.store = store
    self.uptime = uptime
  }

  /// The number of tasks that wait for a change.
  package var waiterCount: Int { state.withLock(\.waiters.count) }

  /// Looks up the lists of a user, without suspending if they are cached.
  package func lookUp(_ owner: OwnerID) -> Lookup<ListRecords> {
    if let cached = state.withLock({ $0.cache[owner] }) { return .ready(cached) }
    return .pending { [self] in try await read(owner) }
  }

  /// Reads the lists of a user again, whether or not they are cached.
  func read(_ owner: OwnerID) async throws -> ListRecords {
    let epoch = state.withLock(\.epoch)
    let records = try await store.listRecords(of: owner)
    state.withLock { state in
      guard state.epoch == epoch else { return }
      state.cache.insert(records, for: owner, cost: 1 + records.records.count + records.shared.count)
    }
    return records
  }

  /// Changes a user's lists. The members of changed lists notice it, too.
  package func change<Value: Sendable>(
    of owner: OwnerID, _ body: @escaping @Sendable (inout ListRecords) throws -> Value
  ) async throws -> Value {
    var changed = [owner]
    defer { invalidate(changed) }
    let (value, members) = try await store.changeLists(of: owner) { records in
      let former = records
      let value = try body(&records)
      return (value, records.affectedMembers(since: former))
    }
    changed += members
    return value
  }

  /// The time for which the usage of a user's lists is cached.
  static let usageAge = Duration.seconds(10)

  /// Looks up what each list of a user contained at most 10 s ago, by the items' owner.
  package func lookUpUsage(of owner: OwnerID) -> Lookup<[OwnerID: ListUsage]> {
    let now = uptime()
    if let sample = state.withLock({ $0.usages[owner] }), now - sample.time < Self.usageAge {
      return .ready(sample.usage)
    }
    return .pending { [self] in
      let usage = try await store.listUsage(of: owner)
      state.withLock { $0.usages.insert(Sample(usage: usage, time: now), for: owner, cost: 1 + usage.count) }
      return usage
    }
  }

  // MARK: Changes

  /// Applies the changes of other processes, until the task is canceled.
  ///
  /// - Parameter pause: waits between two checks: a quarter of a second, so that a deletion by another process ends calls
  ///   within a second.
  public func monitor(
    pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(250)) }
  ) async {
    var version: Int64?
    repeat {
      // While the store cannot be read, the lists that were read last remain in use.
      if let checked = try? await check(after: version) { version = checked }
    } while (try? await pause()) != nil
  }

  /// - Returns: the version after the changes.
  private func check(after version: Int64?) async throws -> Int64 {
    let limit = 1_000
    guard var last = version else {
      let changes = try await store.listChanges(after: .max, limit: 1)
      invalidateAll()
      return changes.version
    }
    while true {
      let changes = try await store.listChanges(after: last, limit: limit)
      if !changes.owners.isEmpty { invalidate(changes.owners) }
      last = changes.version
      if changes.owners.count < limit { return last }
    }
  }

  /// Waits until the lists of a user may differ from the given version.
  ///
  /// - Throws: `CancellationError` if the task is canceled, `ToDoError.storeUnavailable`.
  package func waitForChange(of owner: OwnerID, after version: Int64) async throws {
    let waiter = CancellableWaiter<Void>()
    let id = state.withLock { state in
      state.lastWaiter += 1
      state.waiters[state.lastWaiter] = Waiter(owner: owner, change: waiter)
      return state.lastWaiter
    }
    defer { state.withLock { _ = $0.waiters.removeValue(forKey: id) } }
    // A change after the caller's look-up, and before it was registered.
    guard try await lookUp(owner).value.version == version else { return }
    try await waiter.value()
  }

  private func invalidate(_ owners: [OwnerID]) {
    let changed = Set(owners)
    wake({ changed.contains($0) }) { state in
      for owner in changed { state.cache.remove(owner) }
    }
  }

  private func invalidateAll() { wake({ _ in true }) { $0.cache.removeAll() } }

  private func wake(_ isChanged: (OwnerID) -> Bool, _ evict: (inout State) -> Void) {
    let woken = state.withLock { state in
      state.epoch += 1
      evict(&state)
      let woken = state.waiters.filter { isChanged($0.value.owner) }
      for id in woken.keys { state.waiters[id] = nil }
      return woken.values
    }
    for waiter in woken { waiter.change.resume() }
  }

  // MARK: Purging

  /// Purges the deleted lists that can no longer be restored, at most `limit`.
  ///
  /// - Returns: the number of purged lists.
  @discardableResult
  public func purgeExpired(at now: Timestamp, limit: Int = 100) async throws -> Int {
    let expired = try await store.expiredLists(at: now, limit: limit)
    for list in expired {
      _ = try await store.purgeList(OwnerID(list.id))
      try await change(of: list.owner) { $0.removeExpired(list.id, at: now) }
    }
    return expired.count
  }
}

extension ListDirectory: ListQuotas {
  public func quota(of items: OwnerID) async throws -> (user: OwnerID, others: ListUsage) {
    guard let list = items.list, let owner = try await store.owner(of: list) else { return (items, ListUsage()) }
    return (owner, try await lookUpUsage(of: owner).value.total(without: items))
  }
}

extension [OwnerID: ListUsage] {
  /// Returns the usage of all lists but one.
  func total(without owner: OwnerID) -> ListUsage {
    reduce(into: ListUsage()) { total, list in
      guard list.key != owner else { return }
      total.itemCount += list.value.itemCount
      total.byteCount += list.value.byteCount
    }
  }
}
