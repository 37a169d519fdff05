import Synchronization

/// Whether network clients have to present credentials, and the observers of that requirement. A requirement is permanent.
final class CredentialsRequirement: Sendable {
  private enum State {
    case notRequired(observers: [@Sendable () -> Void])
    case required
  }

  private let state: Mutex<State>

  init(isRequired: Bool) {
    state = Mutex(isRequired ? .required : .notRequired(observers: []))
  }

  /// Calls `body` once when credentials are required: immediately or later.
  func observe(_ body: @escaping @Sendable () -> Void) {
    let isRequired = state.withLock { state in
      guard case .notRequired(let observers) = state else { return true }
      state = .notRequired(observers: observers + [body])
      return false
    }
    if isRequired { body() }
  }

  /// Requires credentials from now on.
  ///
  /// - Returns: whether they were not required before.
  func require() -> Bool {
    let observers = state.withLock { state -> [@Sendable () -> Void]? in
      guard case .notRequired(let observers) = state else { return nil }
      state = .required
      return observers
    }
    for observer in observers ?? [] { observer() }
    return observers != nil
  }
}
