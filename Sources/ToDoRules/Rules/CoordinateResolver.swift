public import ToDoModel

/// Retries the lookups that failed while items were being saved.
///
/// Several servers over one store claim lookups, so that only one of them queries the geocoder for an address. A
/// coordinate is stored only if the item still has the address and no coordinate, so edits by a user are preserved.
/// Storing a coordinate is a separate change of the item.
///
/// The change is charged to the write rate of the user who owns the list, so the user's later writes wait for it. It is made only
/// if the user's quota permits. At most one such change follows each save of an address.
public struct CoordinateResolver: Sendable {
  private let store: any ToDoItemStore
  private let lists: (any ListQuotas)?
  private let geocoder: any Geocoder
  private let byteLimit: Int
  private let writeRate: WriteRateLimiter?
  private let wallClock: any WallClock
  private let clock: any Clock<Duration>
  private let interval: Duration

  /// Creates a resolver.
  ///
  /// - Parameters:
  ///   - lists: finds the owners of further lists; `nil` if there are none.
  ///   - byteLimit: the quota of each user, as for `LocalToDoService`.
  ///   - writeRate: the write rate limiter of the lists' services.
  ///   - interval: the interval between checks for due lookups.
  ///   - clock: the clock that measures the interval.
  public init(
    store: any ToDoItemStore, lists: (any ListQuotas)? = nil, geocoder: any Geocoder,
    byteLimit: Int = LocalToDoService.defaultByteLimit,
    writeRate: WriteRateLimiter? = nil, interval: Duration = .seconds(15),
    wallClock: any WallClock = SystemWallClock(), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.store = store
    self.lists = lists
    self.geocoder = geocoder
    self.byteLimit = byteLimit
    self.writeRate = writeRate
    self.wallClock = wallClock
    self.clock = clock
    self.interval = interval
  }

  /// Resolves due lookups until its task is canceled.
  public func run() async {
    repeat {
      // If the store fails, the next round tries again.
      while let count = try? await resolveDue(), count == Self.batch {}
    } while (try? await clock.sleep(for: interval)) != nil
  }

  /// The maximum number of lookups to claim in one operation.
  static let batch = 16

  /// The time for which claimed lookups are reserved for this process.
  static let lease = Duration.seconds(300)

  /// Resolves the lookups that are due.
  ///
  /// - Returns: the number of attempted lookups.
  func resolveDue() async throws -> Int {
    let now = wallClock.now()
    let lease = Timestamp(microseconds: now.microseconds + Self.lease.components.seconds * 1_000_000)
    let lookups = try await store.claimPendingLookups(dueBy: now, until: lease, limit: Self.batch)
    for pending in lookups {
      let quota = try await lists?.quota(of: pending.owner) ?? (user: pending.owner, others: ListUsage())
      let byteLimit = byteLimit - quota.others.byteCount
      let lookup = try await AddressLookup(of: pending.address, for: quota.user, by: geocoder)
      let changedText = try await store.write(pending.owner, reading: ItemReads(ids: [pending.item])) {
        [wallClock, byteLimit, key = store.fingerprintKey] transaction in
        try transaction.settle(pending, with: lookup, at: wallClock.now(), byteLimit, key)
      }
      if let changedText { writeRate?.charge(1, textSize: changedText, to: quota.user) }
    }
    return lookups.count
  }
}

extension ItemTransaction {
  /// Stores the coordinate that was found, or the time of the next attempt.
  ///
  /// - Returns: the size of the changed item's text, or `nil` if no item changed.
  fileprivate func settle(
    _ pending: PendingLookup, with lookup: AddressLookup, at now: Timestamp, _ byteLimit: Int, _ key: FingerprintKey
  ) throws -> Int? {
    // Another process may have settled the lookup, or a user may have saved another address with a pending lookup.
    guard let current = try pendingLookup(of: pending.item), current.address == pending.address,
      current.attempts == pending.attempts
    else { return nil }
    guard case .present(var item, _) = try record(of: pending.item),
      item.location?.addressToLookUp == pending.address
    else {
      try setPendingLookup(of: pending.item, nil)
      return nil
    }
    let located = item.content.applying(lookup)
    let mayTryAgain = current.attempts < LookupRetries.limit - 1
    switch lookup.outcome {
    case .found where try byteCount + StoredSize.of(located) <= byteLimit:
      item.content = located
      item.updatedAt = now
      item.revision = try revision
      try update(item, cause: .located, fingerprint: ContentFingerprint(of: item.content, key: key))
      try setPendingLookup(of: item.id, nil)
      return located.textSize
    case .found where mayTryAgain, .failed where mayTryAgain:
      var next = current
      next.attempts += 1
      next.due = LookupRetries.due(afterAttempts: next.attempts, at: now)
      try setPendingLookup(of: item.id, next)
    case .found, .guess, .noMatch, .failed:
      try setPendingLookup(of: item.id, nil)
    }
    return nil
  }
}
