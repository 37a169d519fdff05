import ToDoRules
import ToDoSupport

/// The failed authentication attempts of each source, and the back-off that follows from them.
///
/// A source has some free attempts. Each further failure doubles the delay before the next attempt of that source, up to
/// a maximum. A source without failures for some time starts again. The table is bounded: sources that failed longest ago
/// are evicted first.
struct FailedAttempts<Source: Hashable & Sendable>: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The limits, with the values that API.md states to clients.
  struct Limits: Sendable {
    var freeFailures = 10
    var initialDelay = Duration.seconds(1)
    var maximumDelay = Duration.seconds(60)
    /// The time without failures after which a source starts again.
    var memory = Duration.seconds(600)
    var maximumSources = 4096
  }

  private struct Entry: Sendable {
    var count: Int
    var last: Instant
    var waitsUntil: Instant
  }

  private let limits: Limits
  private var entries: GenerationalCache<Source, Entry>

  init(_ limits: Limits = Limits()) {
    self.limits = limits
    // The younger half of the values is always retained.
    entries = GenerationalCache(costLimit: limits.maximumSources)
  }

  /// Returns the remaining delay of a source, or `nil` if it may try now.
  mutating func delay(of source: Source, at now: Instant) -> Duration? {
    guard let entry = entries[source], entry.waitsUntil > now else { return nil }
    return entry.waitsUntil - now
  }

  /// Counts a failure. Failures during a delay do not extend it.
  mutating func recordFailure(of source: Source, at now: Instant) {
    var entry = entries[source] ?? Entry(count: 0, last: now, waitsUntil: now)
    if now - entry.last >= limits.memory { entry.count = 0 }
    entry.count += 1
    entry.last = now
    if entry.waitsUntil <= now { entry.waitsUntil = now + delay(after: entry.count) }
    entries.insert(entry, for: source, cost: 1)
  }

  private func delay(after count: Int) -> Duration {
    guard count > limits.freeFailures else { return .zero }
    return DoublingDelay(from: limits.initialDelay, to: limits.maximumDelay).after(count - limits.freeFailures)
  }
}
