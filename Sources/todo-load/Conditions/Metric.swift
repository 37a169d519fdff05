/// A figure of a report that a condition can compare.
enum Metric: String, CaseIterable, Sendable {
  case p50, p90, p99
  case p999 = "p99.9"
  case p9999 = "p99.99"
  case max, mean, errors
  case errorRate = "error-rate"
  case rate

  /// The unit of the value.
  var unit: Unit {
    switch self {
    case .p50, .p90, .p99, .p999, .p9999, .max, .mean: .time
    case .errors, .rate: .number
    case .errorRate: .share
    }
  }

  enum Unit {
    case time, number, share
  }

  /// Returns the value in nanoseconds, requests per second, errors, or errors per request.
  ///
  /// Latencies count from the time at which requests were due.
  ///
  /// - Returns: `nil` for a latency or an error rate if no request completed.
  func value(in report: LoadReport) -> Double? {
    let latency = report.fromDue
    if latency.count == 0, unit != .number { return nil }
    return switch self {
    case .p50: Double(latency.p50)
    case .p90: Double(latency.p90)
    case .p99: Double(latency.p99)
    case .p999: Double(latency.p999)
    case .p9999: Double(latency.p9999)
    case .max: Double(latency.max)
    case .mean: Double(latency.mean)
    case .errors: Double(report.errorCount)
    case .errorRate: report.errorRate
    case .rate: report.rate
    }
  }
}
