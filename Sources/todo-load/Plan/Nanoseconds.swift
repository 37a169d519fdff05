/// A span or a moment in whole nanoseconds; moments count from the start of a run.
typealias Nanoseconds = Int64

extension Nanoseconds {
  static let millisecond: Nanoseconds = 1_000_000
  static let second: Nanoseconds = 1_000_000_000

  /// Saturates.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: Self.second)
    self = overflow ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000
  }

  var seconds: Double { Double(self) / 1e9 }
}
