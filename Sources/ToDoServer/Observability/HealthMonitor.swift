import RPC
import Synchronization
package import ToDoProtocol

/// Whether the server takes calls: asked for, or watched.
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

  /// - Parameter services: the names that can be asked for, besides "", the whole server.
  package init(services: [String]) {
    self.services = Set(services + [""])
  }

  /// - Throws: `RPCError` with the code `notFound` for a service that the server does not offer.
  package func status(of service: String) throws -> HealthStatus {
    guard services.contains(service) else { throw RPCError.serviceNotFound }
    return state.withLock { $0.status(of: service) }
  }

  /// The present status and every later one; ends when the server shuts down.
  package func statuses(of service: String) -> AsyncStream<HealthStatus> {
    let (stream, continuation) = AsyncStream<HealthStatus>.makeStream(bufferingPolicy: .bufferingNewest(2))
    let watcher = Watcher(service: service, continuation: continuation)
    // As the health protocol has it, an unknown service might appear one day; the watch goes on.
    let isKnown = services.contains(service)
    let isServing = watch(watcher) { continuation.yield(isKnown ? $0.status(of: service) : .serviceUnknown) }
    if !isServing { continuation.finish() }
    return stream
  }

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

  /// Sets whether the store accepts writes. Without, only Health itself is reported as serving.
  package func setStoreUsable(_ isUsable: Bool) {
    state.withLock { state in
      guard state.isServing, state.isStoreUsable != isUsable else { return }
      state.isStoreUsable = isUsable
      // While the state is locked, so that watchers see changes in their order.
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
