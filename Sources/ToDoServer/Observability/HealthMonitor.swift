import Synchronization
package import ToDoProtocol
import ToDoRPC

/// The health of the server and its services, for the methods `Check` and `Watch`.
package final class HealthMonitor: Sendable {
  private struct State {
    var isServing = true
    /// Whether the store accepts writes, which all services but Health depend on.
    var isStoreUsable = true
    var watchers: [Int: Watcher] = [:]
    var nextWatcher = 0

    func status(of service: String) -> HealthStatus {
      isServing && (isStoreUsable || service == HealthMethods.service) ? .serving : .notServing
    }
  }

  private struct Watcher {
    let service: String
    let continuation: AsyncStream<HealthStatus>.Continuation
  }

  private let state = Mutex(State())
  private let services: Set<String>

  /// Creates a monitor that reports the services as serving.
  ///
  /// - Parameter services: the names of the services, in addition to "", the whole server.
  package init(services: [String]) {
    self.services = Set(services + [""])
  }

  /// Returns the current status of a service.
  ///
  /// - Throws: `RPCError` with the code `notFound` for a service that the server does not offer.
  package func status(of service: String) throws -> HealthStatus {
    guard services.contains(service) else { throw RPCError.serviceNotFound }
    return state.withLock { $0.status(of: service) }
  }

  /// Returns the current status and every later one, until the server shuts down.
  package func statuses(of service: String) -> AsyncStream<HealthStatus> {
    let (stream, continuation) = AsyncStream<HealthStatus>.makeStream(bufferingPolicy: .bufferingNewest(2))
    let watcher = Watcher(service: service, continuation: continuation)
    // The health protocol keeps watches of unknown services open, because a service could be added later.
    let isKnown = services.contains(service)
    let isServing = watch(watcher) { continuation.yield(isKnown ? $0.status(of: service) : .serviceUnknown) }
    if !isServing { continuation.finish() }
    return stream
  }

  /// Reports NOT_SERVING to every watcher, and ends all watches.
  package func stopServing() {
    let watchers = state.withLock {
      $0.isServing = false
      return Array($0.watchers.values)
    }
    for watcher in watchers {
      watcher.continuation.yield(.notServing)
      watcher.continuation.finish()
    }
  }

  /// Sets whether the store accepts writes. If not, only Health itself is reported as serving.
  package func setStoreUsable(_ isUsable: Bool) {
    state.withLock { state in
      guard state.isServing, state.isStoreUsable != isUsable else { return }
      state.isStoreUsable = isUsable
      // Under the lock, so that watchers see the changes in order.
      for watcher in state.watchers.values
      where services.contains(watcher.service) && watcher.service != HealthMethods.service {
        watcher.continuation.yield(state.status(of: watcher.service))
      }
    }
  }

  /// Registers a watcher; `whileLocked` sees the state before any change of it.
  ///
  /// - Returns: whether the server is serving.
  private func watch(_ watcher: Watcher, whileLocked: (State) -> Void) -> Bool {
    let (id, isServing) = state.withLock { state in
      let id = state.nextWatcher
      state.nextWatcher += 1
      if state.isServing { state.watchers[id] = watcher }
      whileLocked(state)
      return (id, state.isServing)
    }
    watcher.continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.watchers.removeValue(forKey: id) }
    }
    return isServing
  }
}
