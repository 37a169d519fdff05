public import ToDoModel

/// Finds the coordinates that items were saved without, as soon as the geocoder answers again.
///
/// Of several servers over one store, one at a time asks for an address. What a person has changed meanwhile stays: a
/// coordinate is stored only if the item still has the address and no coordinate. It arrives as a change of its own.
///
/// A change is charged to the write rate of its list, so that the list's later writes wait for it, and is made only if the
/// list's quota has room for it. There is at most one for each time that an address is saved.
public struct CoordinateResolver: Sendable {
  private let store: any ToDoItemStore
  private let geocoder: any Geocoder
  private let byteLimit: Int
  private let writeRate: WriteRateLimiter?
  private let wallClock: any WallClock
  private let clock: any Clock<Duration>
  private let interval: Duration

  /// - Parameters:
  ///   - byteLimit: the quota of each list, as that of `LocalToDoService`.
  ///   - writeRate: the limiter of the lists' services.
  ///   - interval: how often to look for what is due.
  ///   - clock: measures the interval.
  public init(
    store: any ToDoItemStore, geocoder: any Geocoder, byteLimit: Int = LocalToDoService.defaultByteLimit,
    writeRate: WriteRateLimiter? = nil, interval: Duration = .seconds(15),
    wallClock: any WallClock = SystemWallClock(), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.store = store
    self.geocoder = geocoder
    self.byteLimit = byteLimit
    self.writeRate = writeRate
    self.wallClock = wallClock
    self.clock = clock
    self.interval = interval
  }

  /// Resolves until it is cancelled.
  public func run() async {
    repeat {
      // A store that fails now may work at the next look.
      while let count = try? await resolveDue(), count == Self.batch {}
    } while (try? await clock.sleep(for: interval)) != nil
  }

  /// How many lookups to take at a time.
  static let batch = 16

  /// For how long the lookups that were taken are nobody else's.
  static let lease = Duration.seconds(300)

  /// Resolves what is due now.
  ///
  /// - Returns: how many lookups were tried.
  func resolveDue() async throws -> Int {
    let now = wallClock.now()
    let lease = Timestamp(microseconds: now.microseconds + Self.lease.components.seconds * 1_000_000)
    let lookups = try await store.claimPendingLookups(dueBy: now, until: lease, limit: Self.batch)
    for pending in lookups {
      let lookup = try await AddressLookup(of: pending.address, for: pending.owner, by: geocoder)
      let changedText = try await store.write(pending.owner) {
        [wallClock, byteLimit, key = store.fingerprintKey] transaction in
        try transaction.settle(pending, with: lookup, at: wallClock.now(), byteLimit, key)
      }
      if let changedText { writeRate?.charge(1, textSize: changedText, to: pending.owner) }
    }
    return lookups.count
  }
}

extension ItemTransaction {
  /// Stores what was found, or when to ask again.
  ///
  /// - Returns: the size of the text of the item that changed; `nil` if none changed.
  fileprivate func settle(
    _ pending: PendingLookup, with lookup: AddressLookup, at now: Timestamp, _ byteLimit: Int, _ key: FingerprintKey
  ) throws -> Int? {
    // Another may have settled it, or the person saved another address that waits.
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
    let mayTryAgain = current.attempts + 1 < LookupRetries.limit
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
    case .found, .noMatch, .failed:
      try setPendingLookup(of: item.id, nil)
    }
    return nil
  }
}
