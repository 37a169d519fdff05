import TTRPCTransport
import ToDoModel
import ToDoServer

/// Who is let in, and what the operator should know about that.
struct AdmissionPlan: Equatable {
  let policy: AccessPolicy
  private(set) var warnings: [String] = []

  /// - Throws: `SettingError` when strangers could read along or come in, and nobody said that they may.
  ///
  /// - Parameters:
  ///   - hasUsers: whether there are users.
  ///   - hadUsers: whether there ever were. The first user ends anonymous access for good.
  init(_ settings: ServerSettings, hasUsers: Bool, hadUsers: Bool = false) throws {
    let open = (settings.endpoints + settings.grpcEndpoints).filter { !$0.isLocal }
    let clear = open.filter { if case .tcp = $0 { true } else { false } }
    if let endpoint = clear.first, !settings.allowsInsecure {
      throw SettingError(
        name: settings.endpoints.contains(endpoint) ? "listen" : "grpc-listen", value: endpoint.description,
        reason: "can be reached from other machines, and what is sent there can be read on its way: "
          + "use tls://HOST:PORT with --tls-certificate and --tls-key, or --allow-insecure if you must")
    }
    let requiresCredentials =
      settings.requiresAuthentication || hasUsers || hadUsers || (!open.isEmpty && !settings.allowsInsecure)
    policy = AccessPolicy(
      anonymousList: requiresCredentials ? nil : .local,
      unixUsers: settings.unixUsers.union([ServerProcess.unixUser, 0]))
    for endpoint in clear { warnings.append("what is sent to \(endpoint) can be read on its way: there is no TLS") }
    if requiresCredentials && !hasUsers {
      warnings.append(
        "no network client can authenticate because no users exist; "
          + "run 'todo-server user add NAME', then 'todo-server token add NAME'")
    }
    if !requiresCredentials {
      for endpoint in open {
        warnings.append(
          "any client that reaches \(endpoint) can read and change the list until the first user is added")
      }
    }
  }
}
