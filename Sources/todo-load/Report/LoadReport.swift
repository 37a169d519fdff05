import TTRPC

/// What a run has shown.
struct LoadReport: Equatable, Sendable {
  var endpoint: String
  var mix: String
  var connections: Int
  var inFlight: Int
  /// The rates of an open loop, in words; `nil` for a closed loop.
  var schedule: String?
  var warmUp: Nanoseconds
  var elapsed: Nanoseconds
  /// Answered or failed.
  var requests: Int
  /// By their codes' names.
  var errors: [ErrorCount] = []
  /// Due and never sent, in an open loop.
  var unsent = 0
  var bytesSent = 0
  var bytesReceived = 0
  var fromDue: LatencySummary
  var fromSend: LatencySummary
  var operations: [OperationReport] = []
  /// How late requests were sent for which there was room: the client's own part of the latency from when they were due.
  var lateness = LatencySummary()
  var deliveries: DeliveryReport?
  var cpuUsage: CPUUsage
  var serverProcess: Int32?
  /// From when requests were due.
  var bars = LatencyBars(.forLatencies())
  /// What went wrong besides requests, each in a sentence.
  var problems: [String] = []
  var ending = Ending.asPlanned
  /// How many of the run's items are still there against its will.
  var remainingItems = 0
  /// The conditions that hold under which the run counts as failed, with what made them hold.
  var failures: [String] = []

  enum Ending: String, Sendable {
    case asPlanned = "as planned"
    case interrupted
    /// There was no connection for so long that there was no point in going on.
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

  /// How long after a write was acknowledged its watchers were told.
  struct DeliveryReport: Equatable, Sendable {
    var watchers: Int
    var latencies: LatencySummary
    /// Those that have not come.
    var missing: Int
  }
}

extension LoadReport {
  var errorCount: Int { errors.reduce(0) { $0 + $1.count } }

  /// Errors for each request.
  var errorRate: Double { requests > 0 ? Double(errorCount) / Double(requests) : 0 }

  /// Answers a second, errors included.
  var rate: Double { perSecond(requests) }

  func perSecond(_ count: Int) -> Double { elapsed > 0 ? Double(count) / elapsed.seconds : 0 }

  /// In microseconds; `nil` without requests.
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
