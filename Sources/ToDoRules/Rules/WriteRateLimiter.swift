import Synchronization
import ToDoModel

/// Limits how fast each list changes, in items and in bytes of text.
///
/// Every list has two token buckets. A write is admitted while neither is empty, and may then take more than is left: so a
/// batch of any size is admitted, and later writes wait until it is paid for. The list `OwnerID.local` has no limit: it
/// belongs to the user of the machine, or to all callers of a server without users.
public final class WriteRateLimiter: Sendable {
  /// What a bucket gets in a second, and the most that it holds.
  public struct Rate: Equatable, Sendable {
    public var perSecond: Int
    public var burst: Int

    public init(perSecond: Int, burst: Int) {
      self.perSecond = perSecond
      self.burst = burst
    }
  }

  public struct Limits: Equatable, Sendable {
    /// Items that are added, changed or deleted.
    public var items = Rate(perSecond: 2_000, burst: 5_000)
    /// Bytes of text in what is added or edited.
    public var text = Rate(perSecond: 1 << 20, burst: 4 << 20)

    public init() {}
  }

  private struct Buckets {
    /// What is left; less than 0 when a write took more than that.
    var items: Double
    var text: Double
    var time: Duration
  }

  private struct State {
    var buckets: [OwnerID: Buckets] = [:]
    var lastSweep = Duration.zero
  }

  private let limits: Limits
  private let uptime: @Sendable () -> Duration
  private let state = Mutex(State())

  /// - Parameter uptime: a time that only grows.
  public init(_ limits: Limits = Limits(), uptime: @escaping @Sendable () -> Duration) {
    self.limits = limits
    self.uptime = uptime
  }

  /// Measures time with the clock that does not jump.
  public convenience init(_ limits: Limits = Limits()) {
    let start = ContinuousClock.now
    self.init(limits) { start.duration(to: .now) }
  }

  /// - Throws: `ToDoError.writeRateExceeded`, with the time after which the list can be changed again.
  func admit(_ itemCount: Int, textSize: Int, to owner: OwnerID) throws {
    let delay = update(owner) { items, text in
      let delay = max(limits.items.delay(at: items), limits.text.delay(at: text))
      guard delay == .zero else { return delay }
      items -= Double(itemCount)
      text -= Double(textSize)
      return .zero
    }
    if delay > .zero { throw ToDoError.writeRateExceeded(retryAfter: delay) }
  }

  /// Takes what an admitted write turned out to change beyond what it was admitted for.
  func charge(_ itemCount: Int, textSize: Int, to owner: OwnerID) {
    _ = update(owner) { items, text in
      items -= Double(itemCount)
      text -= Double(textSize)
      return .zero
    }
  }

  /// The number of lists that the limiter remembers: those that changed lately.
  var listCount: Int { state.withLock(\.buckets.count) }

  private func update(_ owner: OwnerID, _ body: (_ items: inout Double, _ text: inout Double) -> Duration) -> Duration {
    guard owner != .local else { return .zero }
    let now = uptime()
    return state.withLock { state in
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

  /// Forgets full buckets: a list without buckets has full ones.
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
  /// The time until a bucket with that balance holds anything.
  fileprivate func delay(at balance: Double) -> Duration {
    balance >= 1 ? .zero : .microseconds(Int64(((1 - balance) / Double(max(perSecond, 1)) * 1e6).rounded(.up)))
  }
}
