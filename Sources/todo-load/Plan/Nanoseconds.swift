import ToDoSupport

/// A duration or a point in time, in whole nanoseconds.
///
/// Points in time count from the start of the measured part unless stated otherwise.
typealias Nanoseconds = Int64

extension Nanoseconds {
  static let millisecond: Nanoseconds = 1_000_000
  static let second: Nanoseconds = 1_000_000_000

  /// Creates the number of nanoseconds in a duration, clamped to the representable range.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: Self.second)
    self = overflow ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000
  }

  /// Parses a duration with a unit, such as `250us`, `1.5ms`, `10s`, `2m` or `1h`.
  ///
  /// Returns `nil` if the text is malformed or the duration exceeds one day.
  init?(text: some StringProtocol) {
    guard let duration = Self.format.parse(text) else { return nil }
    self.init(duration)
  }

  private static let format = DurationFormat(
    units: ["ns", "us", "µs", "μs", "ms", "s", "m", "h"], hasFractions: true, upTo: .seconds(86_400))

  var seconds: Double { Double(self) / 1e9 }
}
