import Histogram

@testable import todo_load

extension LatencySummary {
  static let sample = LatencySummary(
    count: 1000, p50: 1_000_000, p90: 2_500_000, p99: 6_250_000, p999: 8_000_000, p9999: 9_000_000, max: 9_123_456,
    mean: 1_234_567)
}

extension LoadReport {
  /// A closed loop of 10 seconds with two errors.
  static var sample: LoadReport {
    LoadReport(
      endpoint: "tcp://127.0.0.1:8636", mix: "get=1", connections: 16, inFlight: 4, warmUp: .second,
      elapsed: 10 * .second, requests: 1000,
      errors: [.init(code: "DEADLINE_EXCEEDED", count: 1), .init(code: "UNAVAILABLE", count: 1)], bytesSent: 80_000,
      bytesReceived: 170_000, fromDue: .sample, fromSend: .sample,
      operations: [.init(operation: "get", errors: 2, fromDue: .sample, fromSend: .sample)],
      cpuUsage: CPUUsage(client: 2_500_000, clientThread: 2_000_000, server: nil, elapsed: 10 * .second, processors: 2),
      bars: LatencyBars(.of([900_000: 300, 1_200_000: 500, 2_500_000: 190, 9_123_456: 10])))
  }

  /// An open loop of several operations, with watchers, that was limited by the client.
  static var fullSample: LoadReport {
    var report = sample
    var early = LatencySummary.sample
    (early.p50, early.p99, early.max) = (62_100, 480_000, 990_000)
    report.mix = "get=80,add=20"
    report.schedule = "1,000 to 10,000 per second in 5 steps"
    report.errors = []
    report.unsent = 17
    report.fromSend = early
    report.operations = [
      .init(operation: "get", errors: 0, fromDue: .sample, fromSend: early),
      .init(operation: "add", errors: 0, fromDue: .sample, fromSend: early),
    ]
    report.lateness = .sample
    report.deliveries = .init(watchers: 3, latencies: .sample, missing: 2)
    report.cpuUsage = CPUUsage(
      client: 11 * .second, clientThread: 9_900_000_000, server: 5 * .second, elapsed: 10 * .second, processors: 2)
    report.serverProcess = 4711
    report.problems = ["a watch ended: the watch was too slow"]
    report.remainingItems = 3
    report.failures = ["p99>5ms: p99 was 6.25 ms"]
    return report
  }
}

extension Recorder.Latencies {
  /// Creates a histogram from the number of occurrences of each latency.
  static func of(_ counts: [UInt64: UInt64]) -> Recorder.Latencies {
    var latencies = forLatencies()
    for (value, count) in counts { latencies.record(value, count: count) }
    return latencies
  }
}
