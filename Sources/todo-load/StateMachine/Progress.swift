import Histogram

/// The requests that completed in an interval of a run.
struct Progress {
  private(set) var count = 0
  private(set) var errors = 0
  private var latencies = Recorder.Latencies.forLatencies()

  mutating func record(_ latency: Nanoseconds, isError: Bool) {
    count += 1
    if isError { errors += 1 }
    latencies.record(UInt64(clamping: latency))
  }

  /// The 99th percentile of the latency from the time at which requests were due.
  var p99: Nanoseconds { Nanoseconds(clamping: latencies.valueAtPercentile(99)) }
}
