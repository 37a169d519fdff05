import Synchronization
import TTRPC
package import ToDoProtocol

/// Whether the server takes calls: asked for, or watched.
package final class HealthMonitor: Sendable {
  private struct State {
    var isServing = true
    var watchers: [Int: AsyncStream<HealthStatus>.Continuation] = [:]
    var nextWatcher = 0
  }

  private let state = Mutex(State())
  private let services: Set<String>

  /// - Parameter services: the names that can be asked for, besides "", the whole server.
  package init(services: [String]) {
    self.services = Set(services + [""])
  }

  /// - Throws: `RPCError` with the code `notFound` for a service that the server does not offer.
  package func status(of service: String) throws -> HealthStatus {
    guard services.contains(service) else { throw RPCError.serviceNotFound }
    return state.withLock { $0.isServing ? .serving : .notServing }
  }

  /// The present status and every later one; ends when the server shuts down.
  package func statuses(of service: String) -> AsyncStream<HealthStatus> {
    let (stream, continuation) = AsyncStream<HealthStatus>.makeStream(bufferingPolicy: .bufferingNewest(2))
    guard services.contains(service) else {
      // As the health protocol has it, the service might appear one day; the watch goes on.
      continuation.yield(.serviceUnknown)
      if !watch(continuation) { continuation.finish() }
      return stream
    }
    let isServing = watch(continuation) { continuation.yield($0 ? .serving : .notServing) }
    if !isServing { continuation.finish() }
    return stream
  }

  package func stopServing() {
    let watchers = state.withLock {
      $0.isServing = false
      return Array($0.watchers.values)
    }
    for watcher in watchers {
      watcher.yield(.notServing)
      watcher.finish()
    }
  }

  /// Registers a watcher; `whileLocked` sees whether the server is serving, before any change of that.
  @discardableResult
  private func watch(
    _ continuation: AsyncStream<HealthStatus>.Continuation, whileLocked: (Bool) -> Void = { _ in }
  ) -> Bool {
    let (id, isServing) = state.withLock { state in
      let id = state.nextWatcher
      state.nextWatcher += 1
      if state.isServing { state.watchers[id] = continuation }
      whileLocked(state.isServing)
      return (id, state.isServing)
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.watchers.removeValue(forKey: id) }
    }
    return isServing
  }
}
