import Synchronization
public import ToDoModel

/// Limits the write rate of each list, in items and in bytes of text.
///
/// Every list has two token buckets. A write is admitted while neither is empty, and may take more than the balance. A
/// batch of any size is therefore admitted, and later writes wait until its cost is refilled. One list can be exempt: the one
/// that all callers of a server share until it has users.
public final class WriteRateLimiter: Sendable {
  /// The refill rate and the capacity of a bucket.
  public struct Rate: Equatable, Sendable {
    /// The number of tokens added per second.
    public var perSecond: Int
    /// The capacity.
    public var burst: Int

    /// Creates a rate.
    public init(perSecond: Int, burst: Int) {
      self.perSecond = perSecond
      self.burst = burst
    }
  }

  /// The rates of a list's two buckets.
  public struct Limits: Equatable, Sendable {
    /// The rate of items that are added, changed or deleted.
    public var items = Rate(perSecond: 2_000, burst: 5_000)
    /// The rate of text in added or edited items, in bytes.
    public var text = Rate(perSecond: 1 << 20, burst: 4 << 20)

    /// Creates the default limits.
    public init() {}
  }

  /// Waits for a duration. Throws `CancellationError` as soon as the task is canceled.
  public typealias Pause = @Sendable (Duration) async throws -> Void

  private struct Buckets {
    /// The balance. It is negative after a write that took more than the balance.
    var items: Double
    var text: Double
    var time: Duration
  }

  private struct State {
    var buckets: [OwnerID: Buckets] = [:]
    var lastSweep = Duration.zero
    /// The list without a limit.
    var exempt: OwnerID?
  }

  private let limits: Limits
  private let uptime: @Sendable () -> Duration
  private let pause: Pause
  private let state: Mutex<State>

  /// Creates a limiter with a time source.
  ///
  /// - Parameters:
  ///   - exempt: the list without a limit, until `endExemption()`.
  ///   - pause: waits between two attempts to admit a write.
  ///   - uptime: returns a monotonic time.
  public init(
    _ limits: Limits = Limits(), exempting exempt: OwnerID? = nil,
    pause: @escaping Pause = { try await Task.sleep(for: $0) }, uptime: @escaping @Sendable () -> Duration
  ) {
    self.limits = limits
    self.uptime = uptime
    self.pause = pause
    state = Mutex(State(exempt: exempt))
  }

  /// Creates a limiter with the monotonic system clock.
  ///
  /// - Parameter exempt: the list without a limit, until `endExemption()`.
  public convenience init(_ limits: Limits = Limits(), exempting exempt: OwnerID? = nil) {
    let start = ContinuousClock.now
    self.init(limits, exempting: exempt) { start.duration(to: .now) }
  }

  /// Limits every list from now on, because the server has users.
  public func endExemption() { state.withLock { $0.exempt = nil } }

  /// Admits a write and takes its cost.
  ///
  /// - Throws: `ToDoError.writeRateExceeded`, with the time after which the list can be changed again.
  package func admit(_ itemCount: Int, textSize: Int, to owner: OwnerID) throws {
    let delay = update(owner) { items, text in
      let delay = max(limits.items.delay(at: items), limits.text.delay(at: text))
      guard delay == .zero else { return delay }
      items -= Double(itemCount)
      text -= Double(textSize)
      return .zero
    }
    if delay > .zero { throw ToDoError.writeRateExceeded(retryAfter: delay) }
  }

  /// Admits a write as soon as the rate allows it, and takes its cost.
  ///
  /// - Throws: `CancellationError` as soon as the task is canceled, also by a call's deadline.
  func admitWhenPossible(_ itemCount: Int, textSize: Int, to owner: OwnerID) async throws {
    while true {
      do { return try admit(itemCount, textSize: textSize, to: owner) } catch ToDoError.writeRateExceeded(let delay) {
        try await pause(delay)
      }
    }
  }

  /// Takes the cost of an admitted write that exceeds the cost it was admitted with.
  func charge(_ itemCount: Int, textSize: Int, to owner: OwnerID) {
    _ = update(owner) { items, text in
      items -= Double(itemCount)
      text -= Double(textSize)
      return .zero
    }
  }

  /// The number of lists with buckets: those that changed recently.
  var listCount: Int { state.withLock(\.buckets.count) }

  private func update(_ owner: OwnerID, _ body: (_ items: inout Double, _ text: inout Double) -> Duration) -> Duration {
    state.withLock { state in
      guard owner != state.exempt else { return .zero }
      let now = uptime()
      if now - state.lastSweep > .seconds(60) { sweep(&state, now) }
      var buckets =
        state.buckets[owner]
        ?? Buckets(items: Double(limits.items.burst), text: Double(limits.text.burst), time: now)
      refill(&buckets, now)
      let delay = body(&buckets.items, &buckets.text)
      state.buckets[owner] = buckets
      return delay
    }
  }

  private func refill(_ buckets: inout Buckets, _ now: Duration) {
    let seconds = max(0, (now - buckets.time) / .seconds(1))
    buckets.items = min(buckets.items + seconds * Double(limits.items.perSecond), Double(limits.items.burst))
    buckets.text = min(buckets.text + seconds * Double(limits.text.perSecond), Double(limits.text.burst))
    buckets.time = now
  }

  /// Discards full buckets. A list without buckets counts as having full ones.
  private func sweep(_ state: inout State, _ now: Duration) {
    for (owner, var buckets) in state.buckets {
      refill(&buckets, now)
      let isFull = buckets.items >= Double(limits.items.burst) && buckets.text >= Double(limits.text.burst)
      if isFull { state.buckets[owner] = nil }
    }
    state.lastSweep = now
  }
}

extension WriteRateLimiter.Rate {
  /// Returns the time until a bucket with a given balance has a token.
  fileprivate func delay(at balance: Double) -> Duration {
    balance >= 1 ? .zero : .microseconds(Int64(((1 - balance) / Double(max(perSecond, 1)) * 1e6).rounded(.up)))
  }
}
