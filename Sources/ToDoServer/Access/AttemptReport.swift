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
