import FoundationEssentials

extension LoadReport {
  /// The report as indented JSON with sorted keys. Times are in microseconds.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Strings and finite numbers can always be encoded.
    guard let data = try? encoder.encode(JSONReport(self)) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

/// The report with the names and units of its JSON.
private struct JSONReport: Encodable {
  let endpoint: String
  let mix: String
  let connections: Int
  let inFlight: Int
  let loop: String
  let schedule: String?
  let warmUpSeconds: Double
  let seconds: Double
  let requests: Int
  let requestsPerSecond: Double
  let errors: [String: Int]
  let errorRate: Double
  let unsent: Int
  let bytesSentPerSecond: Double
  let bytesReceivedPerSecond: Double
  let latencyMicroseconds: Latencies
  let operations: [String: Operation]
  let clientLatenessMicroseconds: Latency?
  let deliveries: Deliveries?
  let cost: Cost
  let problems: [String]
  let ending: String
  let failures: [String]

  struct Latencies: Encodable {
    let fromDue: Latency
    let fromSend: Latency
  }

  struct Operation: Encodable {
    let errors: Int
    let latencyMicroseconds: Latencies
  }

  struct Deliveries: Encodable {
    let watchers: Int
    let missing: Int
    let latencyMicroseconds: Latency
  }

  struct Cost: Encodable {
    let clientMicrosecondsPerRequest: Double?
    let clientProcessors: Double
    let clientThreadProcessors: Double
    let isClientBound: Bool
    let serverMicrosecondsPerRequest: Double?
    let serverProcess: Int32?
    let serverProcessors: Double?
  }

  struct Latency: Encodable {
    let count: Int
    let columns: [(name: String, value: Nanoseconds)]

    init(_ summary: LatencySummary) {
      (count, columns) = (summary.count, summary.columns)
    }

    struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(count, forKey: Key(stringValue: "count"))
      for column in columns {
        try container.encode(Double(column.value) / 1e3, forKey: Key(stringValue: column.name))
      }
    }
  }

  init(_ report: LoadReport) {
    endpoint = report.endpoint
    mix = report.mix
    connections = report.connections
    inFlight = report.inFlight
    loop = report.schedule == nil ? "closed" : "open"
    schedule = report.schedule
    warmUpSeconds = report.warmUp.seconds
    seconds = report.elapsed.seconds
    requests = report.requests
    requestsPerSecond = report.rate.rounded(places: 1)
    errors = Dictionary(report.errors.map { ($0.code, $0.count) }, uniquingKeysWith: +)
    errorRate = report.errorRate
    unsent = report.unsent
    bytesSentPerSecond = report.perSecond(report.bytesSent).rounded(places: 0)
    bytesReceivedPerSecond = report.perSecond(report.bytesReceived).rounded(places: 0)
    latencyMicroseconds = Latencies(fromDue: Latency(report.fromDue), fromSend: Latency(report.fromSend))
    operations = Dictionary(
      report.operations.map { operation in
        let latencies = Latencies(fromDue: Latency(operation.fromDue), fromSend: Latency(operation.fromSend))
        return (operation.operation, Operation(errors: operation.errors, latencyMicroseconds: latencies))
      }, uniquingKeysWith: { first, _ in first })
    clientLatenessMicroseconds = report.schedule.map { _ in Latency(report.lateness) }
    deliveries = report.deliveries.map {
      Deliveries(watchers: $0.watchers, missing: $0.missing, latencyMicroseconds: Latency($0.latencies))
    }
    cost = Cost(report)
    problems = report.problems
    ending = report.ending.rawValue
    failures = report.failures
  }
}

extension JSONReport.Cost {
  init(_ report: LoadReport) {
    let cost = report.cpuUsage
    clientMicrosecondsPerRequest = report.perRequest(cost.client)?.rounded(places: 3)
    clientProcessors = cost.share(cost.client).rounded(places: 3)
    clientThreadProcessors = cost.share(cost.clientThread).rounded(places: 3)
    isClientBound = cost.isClientBound
    serverMicrosecondsPerRequest = report.perRequest(cost.server)?.rounded(places: 3)
    serverProcess = report.serverProcess
    serverProcessors = cost.server.map { cost.share($0).rounded(places: 3) }
  }
}

extension Double {
  fileprivate func rounded(places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
