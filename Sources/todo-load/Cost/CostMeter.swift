import Synchronization

/// Reads the processors' times where the measured part begins and ends; on the thread that sends and receives.
final class CostMeter: Sendable {
  private struct Reading {
    var client = ProcessorTime.ofThisProcess
    var clientThread = ProcessorTime.ofThisThread
    var server: Nanoseconds?
  }

  private struct State {
    var server: ServerProcess?
    var begin: Reading?
    var end: Reading?
  }

  private let state = Mutex(State())

  func setServer(_ server: ServerProcess?) { state.withLock { $0.server = server } }

  var server: ServerProcess? { state.withLock(\.server) }

  func begin() { state.withLock { $0.begin = Reading(server: $0.server?.processorTime) } }

  func end() { state.withLock { $0.end = Reading(server: $0.server?.processorTime) } }

  /// - Parameter elapsed: from the beginning to the end.
  func cost(elapsed: Nanoseconds) -> RunCost {
    let processors = ProcessorTime.processorCount
    let state = state.withLock(\.self)
    guard let begin = state.begin, let end = state.end else {
      return RunCost(client: 0, clientThread: 0, elapsed: elapsed, processors: processors)
    }
    let server = begin.server.flatMap { first in end.server.map { $0 - first } }
    return RunCost(
      client: end.client - begin.client, clientThread: end.clientThread - begin.clientThread, server: server,
      elapsed: elapsed, processors: processors)
  }
}
