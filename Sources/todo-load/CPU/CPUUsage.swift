/// The CPU time used in the measured part of a run.
struct CPUUsage: Equatable, Sendable {
  /// The CPU time of this program.
  var client: Nanoseconds
  /// The CPU time of the thread that sends and receives.
  var clientThread: Nanoseconds
  /// The CPU time of the server's process, or `nil` if the process is unknown.
  var server: Nanoseconds?
  var elapsed: Nanoseconds
  /// The number of processors that this program may use.
  var processors: Int
}

extension CPUUsage {
  /// Whether this program's thread or all of its processors were saturated, so that the client limited the load.
  var isClientBound: Bool {
    guard elapsed > 0 else { return false }
    let hasFullThread = share(clientThread) >= Self.saturation
    let hasFullMachine = share(client) >= Self.saturation * Double(processors)
    return hasFullThread || hasFullMachine
  }

  /// Returns a CPU time as a share of one processor's time.
  func share(_ time: Nanoseconds) -> Double { elapsed > 0 ? Double(time) / Double(elapsed) : 0 }

  private static let saturation = 0.9
}
