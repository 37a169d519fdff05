import ToDoModel
import ToDoTransport

/// The validated parameters of a run.
struct LoadPlan: Sendable {
  var endpoint: Endpoint
  var connections = 16
  var inFlight = 16
  var pace = Pace.closed(.duration(10 * .second))
  var mix: Mix
  /// The number of items to add before the run and to delete after it.
  var items = 1000
  /// The list to which items are moved.
  var otherList = ListID.default
  var watchers = 0
  var warmUp: Nanoseconds = .second
  /// The time after which a request without a response counts as failed.
  var timeout: Nanoseconds = 10 * .second
  /// Whether requests carry the timeout, so that the server applies it too.
  var sendsTimeout = false

  /// The rule that determines when requests are sent.
  enum Pace: Equatable, Sendable {
    /// Each response is followed by the next request.
    case closed(Extent)
    /// Requests are sent when they are due, regardless of responses.
    case open(Schedule)
  }

  /// The condition that ends the measured part of a closed loop.
  enum Extent: Equatable, Sendable {
    case duration(Nanoseconds)
    case total(Int)
  }
}

extension LoadPlan {
  /// The schedule of an open loop, or `nil` for a closed loop.
  var schedule: Schedule? {
    if case .open(let schedule) = pace { schedule } else { nil }
  }
}
