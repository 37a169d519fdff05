import Histogram

/// The percentiles, maximum and mean of latencies.
struct LatencySummary: Equatable, Sendable {
  var count = 0
  var p50: Nanoseconds = 0
  var p90: Nanoseconds = 0
  var p99: Nanoseconds = 0
  var p999: Nanoseconds = 0
  var p9999: Nanoseconds = 0
  var max: Nanoseconds = 0
  var mean: Nanoseconds = 0

  /// The columns of a table and their names.
  var columns: [(name: String, value: Nanoseconds)] {
    [
      ("p50", p50), ("p90", p90), ("p99", p99), ("p99.9", p999), ("p99.99", p9999), ("max", max), ("mean", mean),
    ]
  }
}

extension LatencySummary {
  init(_ latencies: Recorder.Latencies) {
    func percentile(_ percent: Double) -> Nanoseconds {
      // A percentile is the upper bound of a bucket, which can exceed the maximum.
      Nanoseconds(clamping: Swift.min(latencies.valueAtPercentile(percent), latencies.max))
    }
    guard latencies.totalCount > 0 else { return }
    count = Int(latencies.totalCount)
    (p50, p90, p99) = (percentile(50), percentile(90), percentile(99))
    (p999, p9999) = (percentile(99.9), percentile(99.99))
    max = Nanoseconds(clamping: latencies.max)
    mean = Nanoseconds(latencies.mean.rounded())
  }
}
