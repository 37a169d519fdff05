import Synchronization

/// Measures the CPU time of this program and of the server between the start and the end of the measured part.
///
/// `begin()` and `end()` are called on the thread that sends and receives, whose CPU time they read.
final class CPUMeter: Sendable {
  private struct Reading {
    var client = CPUTime.ofThisProcess
    var clientThread = CPUTime.ofThisThread
    var server: Nanoseconds?
  }

  private struct State {
    var server: MeasuredServer?
    var begin: Reading?
    var end: Reading?
  }

  private let state = Mutex(State())

  func setServer(_ server: MeasuredServer?) { state.withLock { $0.server = server } }

  var server: MeasuredServer? { state.withLock(\.server) }

  func begin() { state.withLock { $0.begin = Reading(server: $0.server?.cpuTime) } }

  func end() { state.withLock { $0.end = Reading(server: $0.server?.cpuTime) } }

  /// Returns the CPU time between `begin()` and `end()`, or zero if one of them was not called.
  ///
  /// - Parameter elapsed: The time between the two calls.
  func usage(elapsed: Nanoseconds) -> CPUUsage {
    let processors = CPUTime.processorCount
    let state = state.withLock(\.self)
    guard let begin = state.begin, let end = state.end else {
      return CPUUsage(client: 0, clientThread: 0, elapsed: elapsed, processors: processors)
    }
    let server = begin.server.flatMap { first in end.server.map { $0 - first } }
    return CPUUsage(
      client: end.client - begin.client, clientThread: end.clientThread - begin.clientThread, server: server,
      elapsed: elapsed, processors: processors)
  }
}
