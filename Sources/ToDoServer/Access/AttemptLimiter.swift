import Logging
import Synchronization
import ToDoModel
import ToDoRPC

/// Limits failed authentication attempts by their source, and logs them.
final class AttemptLimiter: Sendable {
  private struct State {
    var failures = FailedAttempts<AttemptSource>()
    var report = AttemptReport<AttemptSource>()
  }

  private let state = Mutex(State())
  private let logger: Logger
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameter now: the current instant of a monotonic clock.
  init(logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.logger = logger
    self.now = now
  }

  /// Rejects an attempt if its source has to wait.
  ///
  /// - Throws: `ToDoError.tooManyFailedAttempts`.
  func check(_ source: AttemptSource) throws(ToDoError) {
    let now = now()
    let delay = state.withLock { state in
      let delay = state.failures.delay(of: source, at: now)
      if delay != nil { state.report.count(source) }
      return delay
    }
    if let delay { throw .tooManyFailedAttempts(retryAfter: delay) }
  }

  func recordFailure(of source: AttemptSource) {
    let now = now()
    state.withLock { state in
      state.failures.recordFailure(of: source, at: now)
      state.report.count(source)
    }
  }

  /// Logs the failures since the last report, if a report is due.
  ///
  /// - Parameter isFinal: whether no other report will follow.
  func report(isFinal: Bool = false) {
    let now = now()
    guard let lines = state.withLock({ $0.report.take(at: now, isFinal: isFinal) }) else { return }
    for (source, count) in lines.counts {
      logger.warning("authentication failed", metadata: ["address": "\(source)", "count": "\(count)"])
    }
    if lines.otherCount > 0 {
      logger.warning("authentication failed", metadata: ["address": "others", "count": "\(lines.otherCount)"])
    }
  }
}

/// The origin of an authentication attempt, as far as the server can identify it.
enum AttemptSource: Hashable, Sendable {
  case address(NetworkAddress)
  case unixUser(UInt32)
  /// The connection was closed before its address was read.
  case unknown

  init(_ peer: Peer) {
    if let address = peer.address {
      self = .address(address)
    } else if let unixUser = peer.unixUser {
      self = .unixUser(unixUser)
    } else {
      self = .unknown
    }
  }
}

extension AttemptSource: CustomStringConvertible {
  var description: String {
    switch self {
    case .address(let address): "\(address)"
    case .unixUser(let number): "Unix user \(number)"
    case .unknown: "unknown"
    }
  }
}

/// The failed attempts that no log line has reported yet.
///
/// A report names a bounded number of sources and counts the attempts of all other sources together. The interval between
/// two reports has a minimum, whatever the number of attempts.
struct AttemptReport<Source: Hashable & Sendable>: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The attempts since the last report.
  struct Lines: Sendable {
    var counts: [(source: Source, count: Int)]
    var otherCount: Int
  }

  private static var maximumSources: Int { 8 }

  private let interval: Duration
  private var counts: [Source: Int] = [:]
  private var otherCount = 0
  private var last: Instant?

  init(interval: Duration = .seconds(10)) {
    self.interval = interval
  }

  mutating func count(_ source: Source) {
    if counts[source] != nil || counts.count < Self.maximumSources {
      counts[source, default: 0] += 1
    } else {
      otherCount += 1
    }
  }

  /// Returns the attempts since the last report, or `nil` if there are none or the interval has not passed.
  ///
  /// - Parameter isFinal: whether to ignore the interval, as no other report will follow.
  mutating func take(at now: Instant, isFinal: Bool = false) -> Lines? {
    guard !counts.isEmpty, isFinal || last.map({ now - $0 >= interval }) ?? true else { return nil }
    let lines = Lines(counts: counts.map { ($0.key, $0.value) }.sorted { $0.count > $1.count }, otherCount: otherCount)
    (counts, otherCount, last) = ([:], 0, now)
    return lines
  }
}
