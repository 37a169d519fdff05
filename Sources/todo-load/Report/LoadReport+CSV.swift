extension LoadReport {
  /// The report as CSV. Times are in microseconds.
  ///
  /// A line of names is followed by a line for all requests, a line for each operation and a line for deliveries.
  var csv: String {
    var lines = [Self.csvNames.joined(separator: ",")]
    lines.append(csvLine("all", errors: errorCount, fromDue, fromSend))
    lines += operations.map { csvLine($0.operation, errors: $0.errors, $0.fromDue, $0.fromSend) }
    if let deliveries { lines.append(csvLine("delivery", errors: deliveries.missing, deliveries.latencies, nil)) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static var csvNames: [String] {
    let columns = LatencySummary().columns.map(\.name)
    return ["operation", "requests", "errors", "per_second"] + columns.map { "due_\($0)_us" }
      + columns.map { "send_\($0)_us" } + ["client_cpu_us", "server_cpu_us"]
  }

  private func csvLine(_ name: String, errors: Int, _ due: LatencySummary, _ send: LatencySummary?) -> String {
    let isAll = name == "all"
    let count = send?.count ?? due.count
    let cpuTimes = [cpuUsage.client, cpuUsage.server].map {
      isAll ? perRequest($0).map { Figure.decimal($0, places: 3) } : nil
    }
    let cells =
      [name, String(count), String(errors), Figure.decimal(perSecond(count), places: 1)]
      + due.columns.map { Self.microseconds($0.value) }
      + LatencySummary().columns.indices.map { send.map(\.columns)?[$0].value }.map { $0.map(Self.microseconds) ?? "" }
      + cpuTimes.map { $0 ?? "" }
    return cells.joined(separator: ",")
  }

  private static func microseconds(_ time: Nanoseconds) -> String { Figure.decimal(Double(time) / 1e3, places: 1) }
}
