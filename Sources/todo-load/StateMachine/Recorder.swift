import Histogram
import ToDoRPC

/// Records the outcomes of measured requests.
struct Recorder {
  typealias Latencies = Histogram<UInt64>

  /// The outcomes of one operation.
  struct Part {
    /// Latencies from the time at which each request was due.
    var fromDue = Latencies.forLatencies()
    /// Latencies from the time at which each request was sent, without the requests that were not sent.
    var fromSend = Latencies.forLatencies()
    var errors = 0
  }

  private(set) var parts = Operation.allCases.map { _ in Part() }
  private(set) var errors: [StatusCode: Int] = [:]
  /// The number of requests in an open loop that were due but not sent.
  private(set) var unsent = 0
  /// The delays between due and sent of requests whose connection had capacity: delays that the client caused.
  private(set) var lateness = Latencies.forLatencies()
  private(set) var lastCompletion: Nanoseconds = 0

  mutating func record(_ request: CompletedRequest) {
    let part = request.operation.index
    parts[part].fromDue.record(UInt64(clamping: request.ended - request.due))
    parts[part].fromSend.record(UInt64(clamping: request.ended - request.sent))
    lastCompletion = max(lastCompletion, request.ended)
    guard request.code != .ok else { return }
    parts[part].errors += 1
    errors[request.code, default: 0] += 1
  }

  /// Records a request that was not sent, with the time from its due time to the end as the minimum of its latency.
  mutating func recordUnsent(_ operation: Operation, due: Nanoseconds, end: Nanoseconds) {
    parts[operation.index].fromDue.record(UInt64(clamping: end - due))
    unsent += 1
  }

  mutating func recordLateness(_ lateness: Nanoseconds) {
    self.lateness.record(UInt64(clamping: lateness))
  }

  /// The number of requests that completed or failed.
  var count: Int { parts.reduce(0) { $0 + Int($1.fromSend.totalCount) } }

  var fromDue: Latencies { merged(\.fromDue) }
  var fromSend: Latencies { merged(\.fromSend) }

  private func merged(_ latencies: KeyPath<Part, Latencies>) -> Latencies {
    parts.reduce(into: .forLatencies()) { $0.add($1[keyPath: latencies]) }
  }
}

extension Histogram<UInt64> {
  /// Creates a histogram of nanoseconds up to one day, with three significant digits, which takes 300 KiB.
  static func forLatencies() -> Histogram {
    Histogram(
      lowestDiscernibleValue: 1, highestTrackableValue: 86_400_000_000_000, numberOfSignificantValueDigits: .three)
  }
}

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
