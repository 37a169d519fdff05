/// What a run's measured part cost, in processor time.
struct CPUUsage: Equatable, Sendable {
  /// Of this program.
  var client: Nanoseconds
  /// Of the thread that sends and receives.
  var clientThread: Nanoseconds
  /// Of the server's process, if it is known.
  var server: Nanoseconds?
  var elapsed: Nanoseconds
  /// How many processors this program may use.
  var processors: Int
}

extension CPUUsage {
  /// Whether the client had no more to give, so that the server might have done more.
  var isClientBound: Bool {
    guard elapsed > 0 else { return false }
    let hasFullThread = share(clientThread) >= Self.saturation
    let hasFullMachine = share(client) >= Self.saturation * Double(processors)
    return hasFullThread || hasFullMachine
  }

  /// The share of one processor.
  func share(_ time: Nanoseconds) -> Double { elapsed > 0 ? Double(time) / Double(elapsed) : 0 }

  private static let saturation = 0.9
}
