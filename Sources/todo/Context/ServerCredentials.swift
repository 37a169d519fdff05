import ToDoModel
import ToDoSupport
import ToDoText
import ToDoTransport

/// The credentials for a server, and the identity that the server must prove.
struct ServerCredentials: Equatable, Sendable {
  /// The bearer token.
  var token: String?
  /// A Unix user, in addition to root and the user of this process, under which the server may run to receive the token over
  /// a Unix socket.
  var serverUser: UInt32?
  /// A PEM file of CA certificates to which the server's certificate must chain, or `nil` for the system's trust store.
  var authorities: String?
  /// A PEM file with the user's client certificate.
  var certificate: String?
  /// A PEM file with the key of `certificate`.
  var key: String?
}

extension ServerCredentials {
  /// Creates the credentials from the options and the environment. The token comes from `TODO_TOKEN_FILE` or, if that is
  /// not set, from `todo login`.
  ///
  /// - Throws: `Failure` if a setting is invalid, `PrivateFileError` if a token file cannot be read.
  init(_ options: GlobalOptions, endpoint: String, in context: CommandContext) throws {
    try self.init(options, token: try Self.token(for: endpoint, in: context), in: context)
  }

  /// Creates the credentials from the options and the environment, with a token that the caller supplies.
  init(_ options: GlobalOptions, token: String?, in context: CommandContext) throws {
    self.token = token
    serverUser = try Self.serverUser(context)
    authorities = options.ca ?? context.environment("TODO_CA")
    certificate = options.certificate ?? context.environment("TODO_CERTIFICATE")
    key = options.key ?? context.environment("TODO_KEY")
    guard (certificate == nil) == (key == nil) else {
      throw Failure.usage("a client certificate needs its key: use '--certificate' and '--key' together")
    }
  }

  private static func serverUser(_ context: CommandContext) throws -> UInt32? {
    guard let text = context.environment("TODO_SERVER_USER") else { return nil }
    guard let user = UnixUser.number(of: text) else {
      throw Failure.usage(
        "TODO_SERVER_USER: unknown user '\(text.escapingControls())'; set it to a user name or number of this machine")
    }
    return user
  }

  private static func token(for endpoint: String, in context: CommandContext) throws -> String? {
    switch context.environment("TODO_TOKEN_FILE") {
    case nil: return try TokenFile(environment: context.environment)?.token(for: endpoint)
    case "-": return context.terminal.readLine()?.trimmed
    case let path?:
      guard let token = try PrivateFile.read(path, followsLinks: true)?.trimmed, !token.isEmpty else {
        // Without the value, which may be the token itself.
        throw Failure.usage(
          "TODO_TOKEN_FILE names no file with a token; write one there, or unset it to use the token of 'todo login'")
      }
      return token
    }
  }
}
