/// Which connection sends a request when.
///
/// In a closed loop, each connection sends as long as it has room. In an open loop, request `n` is due at its time on
/// connection `n mod connections`; where that has no room then, the request waits and stays due since its own time, and
/// so does every one behind it. As a connection's requests are numbered, what waits takes no memory.
///
///     warm-up --0 s--> measured --end--> over
///
/// Times count from the beginning of the measured part; those of the warm-up are negative.
struct Pacing {
  /// A request to send now.
  struct ScheduledRequest: Equatable {
    var due: Nanoseconds
    /// Whether it counts, being no warm-up.
    var isMeasured: Bool
  }

  private struct ConnectionPace {
    var inFlight = 0
    /// In an open loop: the number of its next request.
    var next: Int
  }

  private var connections: [ConnectionPace]
  private let limit: Int
  private let pace: LoadPlan.Pace
  /// In an open loop: how many of the requests belong to the warm-up; they have the first numbers.
  private let warmUpCount: Int
  /// In an open loop: how many requests are due already.
  private var dueCount = 0
  /// In a closed loop: how many were sent that count.
  private var measuredCount = 0
  private var isStopped = false

  /// - Parameter limit: how many requests a connection has in flight at most.
  init(_ pace: LoadPlan.Pace, connections: Int, limit: Int, warmUp: Nanoseconds) {
    self.pace = pace
    self.limit = limit
    self.connections = (0..<connections).map { ConnectionPace(next: $0) }
    if case .open(let schedule) = pace {
      warmUpCount = Int((schedule.initialRate * warmUp.seconds).rounded(.down))
    } else {
      warmUpCount = 0
    }
  }

  /// The next request of a connection, if it is to send one now; it is then in flight.
  mutating func nextRequest(on connectionIndex: Int, at now: Nanoseconds) -> ScheduledRequest? {
    guard !isStopped, connections[connectionIndex].inFlight < limit else { return nil }
    let request: ScheduledRequest
    switch pace {
    case .closed(let extent):
      guard let next = closedLoopRequest(extent, at: now) else { return nil }
      request = next
    case .open:
      if now >= 0 { skipWarmUp(of: connectionIndex) }
      guard connections[connectionIndex].next < dueCount else { return nil }
      request = openLoopRequest(connections[connectionIndex].next)
      connections[connectionIndex].next += connections.count
    }
    connections[connectionIndex].inFlight += 1
    return request
  }

  /// A request of a connection has been answered, or given up.
  mutating func finishRequest(on connectionIndex: Int) {
    connections[connectionIndex].inFlight -= 1
  }

  /// Sends nothing more.
  mutating func stop() { isStopped = true }

  private mutating func closedLoopRequest(_ extent: LoadPlan.Extent, at now: Nanoseconds) -> ScheduledRequest? {
    guard now >= 0 else { return ScheduledRequest(due: now, isMeasured: false) }
    switch extent {
    case .duration(let duration): guard now < duration else { return nil }
    case .total(let total): guard measuredCount < total else { return nil }
    }
    measuredCount += 1
    return ScheduledRequest(due: now, isMeasured: true)
  }

  /// What is left of the warm-up would only delay what is measured.
  private mutating func skipWarmUp(of connectionIndex: Int) {
    let left = warmUpCount - connections[connectionIndex].next
    if left > 0 {
      connections[connectionIndex].next += (left + connections.count - 1) / connections.count * connections.count
    }
  }

  private func openLoopRequest(_ number: Int) -> ScheduledRequest {
    ScheduledRequest(due: due(number), isMeasured: number >= warmUpCount)
  }

  private func due(_ number: Int) -> Nanoseconds {
    guard case .open(let schedule) = pace else { return 0 }
    if number >= warmUpCount { return schedule.due(number - warmUpCount) }
    return -Nanoseconds(Double(warmUpCount - number) / schedule.initialRate * 1e9)
  }

  // MARK: Open loop

  /// Notes which requests have become due.
  ///
  /// - Returns: their numbers; each concerns the connection of the number's remainder.
  mutating func advance(to now: Nanoseconds) -> Range<Int> {
    guard case .open(let schedule) = pace else { return 0..<0 }
    let first = dueCount
    while dueCount < warmUpCount + schedule.count, due(dueCount) <= now { dueCount += 1 }
    return first..<dueCount
  }

  /// When the next request becomes due; `nil` when none does any more.
  var nextDue: Nanoseconds? {
    guard case .open(let schedule) = pace, !isStopped, dueCount < warmUpCount + schedule.count else { return nil }
    return due(dueCount)
  }

  // MARK: The end

  /// How many requests are in flight.
  var inFlight: Int { connections.reduce(0) { $0 + $1.inFlight } }

  /// Whether no request is sent any more.
  func isOver(at now: Nanoseconds) -> Bool {
    if isStopped { return true }
    switch pace {
    case .closed(.duration(let duration)): return now >= duration
    case .closed(.total(let total)): return measuredCount >= total
    case .open(let schedule):
      return now >= schedule.duration || connections.allSatisfy { $0.next >= warmUpCount + schedule.count }
    }
  }

  /// When it is over at the latest; in a closed loop of so many requests, as soon as they have been sent.
  var plannedEnd: Nanoseconds {
    switch pace {
    case .closed(.duration(let duration)): duration
    case .closed(.total(let total)): measuredCount >= total ? 0 : .max
    case .open(let schedule): schedule.duration
    }
  }

  /// Tells when each request was due that was never sent as its connection had no room; in no order.
  func forEachUnsent(_ body: (_ due: Nanoseconds) -> Void) {
    for connection in connections {
      for number in stride(from: connection.next, to: dueCount, by: connections.count) where number >= warmUpCount {
        body(due(number))
      }
    }
  }
}
