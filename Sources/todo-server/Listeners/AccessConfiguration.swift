import ToDoModel
import ToDoServer
import ToDoTransport

/// The access policy that the settings specify, with the warnings that the operator should see.
struct AccessConfiguration: Equatable {
  let policy: AccessPolicy
  private(set) var warnings: [String] = []

  /// Derives the policy from the settings.
  ///
  /// - Parameters:
  ///   - hasUsers: whether users exist.
  ///   - hadUsers: whether users have ever existed. The first user ends anonymous access permanently.
  /// - Throws: `SettingError` if the settings expose the server to other machines without TLS and do not allow it
  ///   explicitly.
  init(_ settings: ServerSettings, hasUsers: Bool, hadUsers: Bool = false) throws {
    let exposed = settings.allEndpoints.filter { !$0.isLocal }
    // Metrics are nobody's list.
    let remote = exposed.filter { $0 != settings.metricsEndpoint }
    let unencrypted = exposed.filter { if case .tcp = $0 { true } else { false } }
    if let endpoint = unencrypted.first, !settings.allowsInsecure {
      throw SettingError(
        name: settings.listeners.first { $0.endpoints.contains(endpoint) }?.setting ?? "listen",
        value: endpoint.description,
        reason: "accepts unencrypted connections from other machines; "
          + "use tls://HOST:PORT with --tls-certificate and --tls-key, or --allow-insecure")
    }
    // Other machines reach a loopback address through a proxy.
    let isReachable = !remote.isEmpty || !settings.limits.trustedProxies.isEmpty
    let requiresCredentials =
      settings.requiresAuthentication || hasUsers || hadUsers || (isReachable && !settings.allowsInsecure)
    policy = AccessPolicy(
      anonymousList: requiresCredentials ? nil : .local,
      unixUsers: settings.unixUsers.union([ThisProcess.unixUser, 0]))
    for endpoint in unencrypted {
      warnings.append("connections to \(endpoint) are not encrypted, and others can read them; use tls:// instead")
    }
    if requiresCredentials && !hasUsers {
      warnings.append(
        "no network client can authenticate because no users exist; "
          + "run 'todo-server user add NAME', then 'todo-server token add NAME'")
    }
    if !requiresCredentials {
      if !settings.limits.trustedProxies.isEmpty {
        warnings.append(
          "any client that reaches a trusted proxy can read and change the list until the first user is added")
      }
      for endpoint in remote {
        warnings.append(
          "any client that reaches \(endpoint) can read and change the list until the first user is added")
      }
    }
  }
}
