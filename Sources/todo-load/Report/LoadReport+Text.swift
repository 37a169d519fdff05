extension LoadReport {
  /// Returns the report as human-readable text.
  ///
  /// - Parameter barWidth: The width of the histogram's longest bar, in characters.
  func text(barWidth: Int = 40) -> String {
    var sections = [headLines, countLines, latencyLines]
    if operations.count > 1 { sections.append(operationLines) }
    if deliveries != nil { sections.append(deliveryLines) }
    sections += [bars.lines(width: barWidth), remarkLines, failures.map { "Failed: \($0)" }]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private var headLines: [String] {
    [
      "\(endpoint), \(mix)",
      "\(Figure.count(connections, "connection")), up to \(Figure.count(inFlight, "request")) in flight on each, "
        + (schedule.map { "open loop: \($0)" } ?? "closed loop"),
      "\(Figure.time(Double(elapsed))) after \(Figure.time(Double(warmUp))) of warm-up",
    ]
  }

  private var countLines: [String] {
    var lines = [
      "  requests    \(Figure.count(requests)), \(Figure.count(rate)) per second",
      "  errors      " + (errors.isEmpty ? "none" : "\(Figure.count(errorCount)), \(Figure.percent(errorRate)): ")
        + errors.map { "\($0.code) \(Figure.count($0.count))" }.joined(separator: ", "),
    ]
    if unsent > 0 { lines.append("  unsent      \(Figure.count(unsent)): their connections had no capacity") }
    lines += [
      "  bytes       sent \(Figure.byteRate(perSecond(bytesSent))), received \(Figure.byteRate(perSecond(bytesReceived)))",
      "  client CPU  \(cpuText(cpuUsage.client))",
      "  server CPU  "
        + (cpuUsage.server.map { cpuText($0) + (serverProcess.map { ", process \($0)" } ?? "") }
          ?? "unknown: the server's process is on another machine or cannot be inspected"),
    ]
    return lines
  }

  private func cpuText(_ time: Nanoseconds) -> String {
    let share = Figure.decimal(cpuUsage.share(time), places: 2)
    return "\(perRequest(time).map(Figure.significant) ?? "-") µs per request, \(share) processors"
  }

  private var latencyLines: [String] {
    var rows = [("from send", fromSend)]
    // In a closed loop, a request is due when it is sent.
    if schedule != nil { rows.insert(("from due", fromDue), at: 0) }
    return Self.table(rows)
  }

  private var operationLines: [String] {
    Self.table(operations.map { ($0.operation, $0.fromDue) }, counts: true)
  }

  private var deliveryLines: [String] {
    guard let deliveries else { return [] }
    let name = "delivery to \(Figure.count(deliveries.watchers, "watcher")), from the write's response"
    return [name] + Self.table([("delivery", deliveries.latencies)], counts: true)
      + (deliveries.missing > 0 ? ["  \(Figure.count(deliveries.missing)) deliveries are missing"] : [])
  }

  private static func table(_ rows: [(name: String, latency: LatencySummary)], counts: Bool = false) -> [String] {
    let nameWidth = 12
    let names = (counts ? ["count"] : []) + LatencySummary().columns.map(\.name)
    let head = "".padded(to: nameWidth) + names.map { $0.padded(toLeft: 9) }.joined(separator: " ")
    return [head]
      + rows.map { name, latency in
        let cells =
          (counts ? [Figure.count(latency.count)] : [])
          + latency.columns.map { latency.count > 0 ? Figure.time(Double($0.value)) : "-" }
        return "  \(name)".padded(to: nameWidth) + cells.map { $0.padded(toLeft: 9) }.joined(separator: " ")
      }
  }

  private var endingLines: [String] {
    var lines: [String] = []
    switch ending {
    case .asPlanned: break
    case .interrupted: lines.append("Interrupted: the report covers the run up to the interruption.")
    case .serverLost: lines.append("The server became unreachable: the report covers the run up to that point.")
    }
    if remainingItems > 0 { lines.append("\(Figure.count(remainingItems)) of the run's items could not be deleted.") }
    return lines
  }

  private var remarkLines: [String] {
    var notes = endingLines
    notes += problems.map { "Problem: \($0)." }
    if cpuUsage.isClientBound {
      notes.append(
        "Client-bound: this program used \(Figure.decimal(cpuUsage.share(cpuUsage.client), places: 2)) processors and limited "
          + "the load. The server may be able to handle more.")
    }
    if schedule == nil {
      notes.append(
        "A closed loop sends fewer requests to a slow server, so its latencies are optimistic. "
          + "Use --rate to avoid that.")
    } else if lateness.p99 * 5 > fromDue.p99, lateness.count > 0 {
      notes.append(
        "The client was late: it sent due requests \(Figure.time(Double(lateness.p50))) late at p50 and "
          + "\(Figure.time(Double(lateness.p99))) late at p99. The latency from due includes this delay.")
    }
    return notes
  }
}
