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

  var seconds: Double { Double(self) / 1e9 }
}
