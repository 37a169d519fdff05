import PrivateFiles
import TTRPCTransport

/// How a server is met: who it must be, and who the person is there.
struct ServerAccess: Equatable, Sendable {
  var token: String?
  /// The Unix user, in addition to root and the user of this process, that the server may run as to get the token over a
  /// Unix socket.
  var serverUser: UInt32?
  /// A file of certificates that the server's own must lead to; `nil`: those that the system trusts.
  var authorities: String?
  /// The person's own certificate and its key.
  var certificate: String?
  var key: String?
}

extension ServerAccess {
  /// What the options and the environment say; the token is that of `TODO_TOKEN_FILE`, or else that of `todo login`.
  ///
  /// - Throws: `Failure`.
  init(_ options: GlobalOptions, endpoint: String, in context: CommandContext) throws {
    try self.init(options, token: try Self.token(for: endpoint, in: context), in: context)
  }

  /// The same, with this token.
  init(_ options: GlobalOptions, token: String?, in context: CommandContext) throws {
    self.token = token
    serverUser = try Self.serverUser(context)
    authorities = options.ca ?? context.environment("TODO_CA")
    certificate = options.certificate ?? context.environment("TODO_CERTIFICATE")
    key = options.key ?? context.environment("TODO_KEY")
    guard (certificate == nil) == (key == nil) else {
      throw Failure.usage("a certificate and its key go together: name both, '--certificate' and '--key'")
    }
  }

  private static func serverUser(_ context: CommandContext) throws -> UInt32? {
    guard let text = context.environment("TODO_SERVER_USER") else { return nil }
    guard let user = UnixUser.number(of: text) else {
      throw Failure.usage("TODO_SERVER_USER is '\(text.escapingControls())', which is not a user of this machine")
    }
    return user
  }

  private static func token(for endpoint: String, in context: CommandContext) throws -> String? {
    switch context.environment("TODO_TOKEN_FILE") {
    case nil: return try TokenFile(environment: context.environment)?.token(for: endpoint)
    case "-": return context.terminal.readLine()?.trimmed
    case let path?:
      guard let token = try PrivateFile.read(path, followsLinks: true)?.trimmed, !token.isEmpty else {
        throw Failure.usage("TODO_TOKEN_FILE names \(path), where there is no token".escapingControls())
      }
      return token
    }
  }
}

extension String {
  /// Without the white space around it.
  var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
