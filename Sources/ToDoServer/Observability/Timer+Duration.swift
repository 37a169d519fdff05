import CoreMetrics

extension CoreMetrics.Timer {
  /// Records a duration. The module `Metrics` has the same function, but imports Foundation.
  func record(_ duration: Duration) {
    recordNanoseconds(Int64(duration / .nanoseconds(1)))
  }
}
