import Histogram
import TTRPC

/// What the requests of a run came to.
struct Recorder {
  typealias Latencies = Histogram<UInt64>

  /// One operation's share.
  struct Part {
    /// From when each request was due.
    var fromDue = Latencies.forLatencies()
    /// From when each request was sent; those that never were are not in it.
    var fromSend = Latencies.forLatencies()
    var errors = 0
  }

  private(set) var parts = Operation.allCases.map { _ in Part() }
  private(set) var errors: [StatusCode: Int] = [:]
  /// Requests that were due and never sent, in an open loop whose connections had no room.
  private(set) var unsent = 0
  /// How late requests were sent that had room in time: the client's own doing.
  private(set) var lateness = Latencies.forLatencies()
  private(set) var lastCompletion: Nanoseconds = 0

  mutating func record(_ answer: CompletedRequest) {
    let part = answer.operation.index
    parts[part].fromDue.record(UInt64(clamping: answer.ended - answer.due))
    parts[part].fromSend.record(UInt64(clamping: answer.ended - answer.sent))
    lastCompletion = max(lastCompletion, answer.ended)
    guard answer.code != .ok else { return }
    parts[part].errors += 1
    errors[answer.code, default: 0] += 1
  }

  /// A request waited from when it was due to the end and was not sent: it took at least that long.
  mutating func recordUnsent(_ operation: Operation, due: Nanoseconds, end: Nanoseconds) {
    parts[operation.index].fromDue.record(UInt64(clamping: end - due))
    unsent += 1
  }

  mutating func recordLateness(_ lateness: Nanoseconds) {
    self.lateness.record(UInt64(clamping: lateness))
  }

  /// How many requests were answered, or failed.
  var count: Int { parts.reduce(0) { $0 + Int($1.fromSend.totalCount) } }

  var fromDue: Latencies { merged(\.fromDue) }
  var fromSend: Latencies { merged(\.fromSend) }

  private func merged(_ latencies: KeyPath<Part, Latencies>) -> Latencies {
    parts.reduce(into: .forLatencies()) { $0.add($1[keyPath: latencies]) }
  }
}

extension Histogram<UInt64> {
  /// In nanoseconds, to three digits, from a microsecond to a day: 300 KiB.
  static func forLatencies() -> Histogram {
    Histogram(
      lowestDiscernibleValue: 1, highestTrackableValue: 86_400_000_000_000, numberOfSignificantValueDigits: .three)
  }
}
