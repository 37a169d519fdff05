/// Determines when each connection sends a request.
///
/// In a closed loop, a connection sends while it has capacity. In an open loop, request `n` is due at its scheduled time on
/// connection `n mod connections`. If the connection has no capacity then, the request and those after it wait, and their
/// due times stay the same. Waiting requests take no memory, because a connection stores only the number of its next one.
///
///     warm-up --0 s--> measured --end--> over
///
/// Times count from the start of the measured part, so times in the warm-up are negative.
struct Pacing {
  /// A request that a connection is to send now.
  struct ScheduledRequest: Equatable {
    var due: Nanoseconds
    /// Whether the request belongs to the measured part, not to the warm-up.
    var isMeasured: Bool
  }

  private struct ConnectionPace {
    var inFlight = 0
    /// In an open loop: the number of the connection's next request.
    var next: Int
  }

  private var connections: [ConnectionPace]
  private let limit: Int
  private let pace: LoadPlan.Pace
  /// In an open loop: the number of requests in the warm-up, which have the first numbers.
  private let warmUpCount: Int
  /// In an open loop: the number of requests that have become due.
  private var dueCount = 0
  /// In a closed loop: the number of measured requests that were sent.
  private var measuredCount = 0
  private var isStopped = false

  /// - Parameter limit: The maximum number of requests in flight on a connection.
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

  /// Returns the next request of a connection if the connection is to send one now, and counts it as in flight.
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

  /// Records that a request of a connection completed or expired.
  mutating func finishRequest(on connectionIndex: Int) {
    connections[connectionIndex].inFlight -= 1
  }

  /// Stops sending requests.
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

  /// Skips the rest of a connection's warm-up, which would only delay the measured requests.
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

  /// Advances to the current time and returns the numbers of the requests that have become due.
  ///
  /// Request `n` belongs to connection `n mod connections`.
  mutating func advance(to now: Nanoseconds) -> Range<Int> {
    guard case .open(let schedule) = pace else { return 0..<0 }
    let first = dueCount
    while dueCount < warmUpCount + schedule.count, due(dueCount) <= now { dueCount += 1 }
    return first..<dueCount
  }

  /// The time at which the next request becomes due, or `nil` if there is none.
  var nextDue: Nanoseconds? {
    guard case .open(let schedule) = pace, !isStopped, dueCount < warmUpCount + schedule.count else { return nil }
    return due(dueCount)
  }

  // MARK: The end

  /// The number of requests in flight.
  var inFlight: Int { connections.reduce(0) { $0 + $1.inFlight } }

  /// Returns whether no more requests are sent.
  func isOver(at now: Nanoseconds) -> Bool {
    if isStopped { return true }
    switch pace {
    case .closed(.duration(let duration)): return now >= duration
    case .closed(.total(let total)): return measuredCount >= total
    case .open(let schedule):
      return now >= schedule.duration || connections.allSatisfy { $0.next >= warmUpCount + schedule.count }
    }
  }

  /// The planned end of the measured part.
  ///
  /// In a closed loop with a number of requests, it is 0 once they have been sent, and unlimited before.
  var plannedEnd: Nanoseconds {
    switch pace {
    case .closed(.duration(let duration)): duration
    case .closed(.total(let total)): measuredCount >= total ? 0 : .max
    case .open(let schedule): schedule.duration
    }
  }

  /// Calls `body` with the due time of each measured request that was due but not sent, in no particular order.
  func forEachUnsent(_ body: (_ due: Nanoseconds) -> Void) {
    for connection in connections {
      for number in stride(from: connection.next, to: dueCount, by: connections.count) where number >= warmUpCount {
        body(due(number))
      }
    }
  }
}
