import TTRPCTransport

/// What a run does: the options, checked.
struct LoadPlan: Sendable {
  var endpoint: Endpoint
  var connections = 16
  var inFlight = 16
  var pace = Pace.closed(.duration(10 * .second))
  var mix: Mix
  /// How many items are added before and deleted afterwards.
  var items = 1000
  var watchers = 0
  var warmUp: Nanoseconds = .second
  /// How long an answer may take.
  var timeout: Nanoseconds = 10 * .second
  /// Whether the server is told how long.
  var sendsTimeout = false

  enum Pace: Equatable, Sendable {
    /// Each answer is followed by the next request.
    case closed(Extent)
    /// Requests are sent when they are due, whatever the answers do.
    case open(Schedule)
  }

  /// When the measured part ends.
  enum Extent: Equatable, Sendable {
    case duration(Nanoseconds)
    case total(Int)
  }
}

extension LoadPlan {
  /// Of an open loop.
  var schedule: Schedule? {
    if case .open(let schedule) = pace { schedule } else { nil }
  }
}
