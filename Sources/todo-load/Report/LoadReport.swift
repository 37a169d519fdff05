import ToDoRPC

/// The results of a run.
struct LoadReport: Equatable, Sendable {
  var endpoint: String
  var mix: String
  var connections: Int
  var inFlight: Int
  /// A description of an open loop's schedule, or `nil` for a closed loop.
  var schedule: String?
  var warmUp: Nanoseconds
  var elapsed: Nanoseconds
  /// The number of requests that completed, including failed ones.
  var requests: Int
  /// The number of errors for each status code.
  var errors: [ErrorCount] = []
  /// The number of requests in an open loop that were due but not sent.
  var unsent = 0
  var bytesSent = 0
  var bytesReceived = 0
  var fromDue: LatencySummary
  var fromSend: LatencySummary
  var operations: [OperationReport] = []
  /// The delays between due and sent of requests whose connection had capacity: delays that the client caused.
  var lateness = LatencySummary()
  var deliveries: DeliveryReport?
  var cpuUsage: CPUUsage
  var serverProcess: Int32?
  /// A histogram of the latencies from the time at which requests were due.
  var bars = LatencyBars(.forLatencies())
  /// The problems that are not failed requests, each as a sentence without a full stop.
  var problems: [String] = []
  var ending = Ending.asPlanned
  /// The number of items that should have been deleted but were not.
  var remainingItems = 0
  /// Explanations of the `--fail-if` conditions that hold.
  var failures: [String] = []

  enum Ending: String, Sendable {
    case asPlanned = "as planned"
    case interrupted
    /// There was no connection for as long as the timeout.
    case serverLost = "server lost"
  }

  struct ErrorCount: Equatable, Sendable {
    var code: String
    var count: Int
  }

  struct OperationReport: Equatable, Sendable {
    var operation: String
    var errors: Int
    var fromDue: LatencySummary
    var fromSend: LatencySummary
  }

  /// The latencies between the response to a write and its delivery to the watchers.
  struct DeliveryReport: Equatable, Sendable {
    var watchers: Int
    var latencies: LatencySummary
    /// The number of deliveries that did not arrive.
    var missing: Int
  }
}

extension LoadReport {
  var errorCount: Int { errors.reduce(0) { $0 + $1.count } }

  /// The number of errors divided by the number of requests.
  var errorRate: Double { requests > 0 ? Double(errorCount) / Double(requests) : 0 }

  /// The number of completed requests per second, including failed ones.
  var rate: Double { perSecond(requests) }

  func perSecond(_ count: Int) -> Double { elapsed > 0 ? Double(count) / elapsed.seconds : 0 }

  /// Returns the share of each request in a time, in microseconds, or `nil` if there were no requests.
  func perRequest(_ time: Nanoseconds?) -> Double? {
    guard let time, requests > 0 else { return nil }
    return Double(time) / Double(requests) / 1e3
  }
}

extension LoadReport {
  init(
    _ plan: LoadPlan, _ outcome: LoadOutcome, _ cpuUsage: CPUUsage, serverProcess: Int32? = nil,
    deliveries: DeliveryReport? = nil, problems: [String] = []
  ) {
    let recorder = outcome.recorder
    let (fromDue, fromSend) = (recorder.fromDue, recorder.fromSend)
    self.init(
      endpoint: "\(plan.endpoint)", mix: "\(plan.mix)", connections: plan.connections, inFlight: plan.inFlight,
      schedule: plan.schedule?.shape.description, warmUp: plan.warmUp, elapsed: outcome.elapsed,
      requests: recorder.count, unsent: recorder.unsent, bytesSent: outcome.bytesSent,
      bytesReceived: outcome.bytesReceived, fromDue: LatencySummary(fromDue), fromSend: LatencySummary(fromSend),
      lateness: LatencySummary(recorder.lateness), deliveries: deliveries, cpuUsage: cpuUsage,
      serverProcess: serverProcess,
      bars: LatencyBars(fromDue), problems: problems, ending: outcome.ending)
    errors = recorder.errors.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { ErrorCount(code: $0.key.name, count: $0.value) }
    operations = plan.mix.parts.map { part in
      let recorded = recorder.parts[part.operation.index]
      return OperationReport(
        operation: part.operation.rawValue, errors: recorded.errors, fromDue: LatencySummary(recorded.fromDue),
        fromSend: LatencySummary(recorded.fromSend))
    }
  }
}
