import ArgumentParser
import ToDoModel
import ToDoText
import ToDoTransport

/// `todo login`
struct LoginCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Store a token that authenticates you to a server.",
    usage: "todo login --server <endpoint> [<options>]",
    discussion: """
      Reads the token from standard input, verifies it with the server, and stores it in ~/.config/todo/tokens, which \
      only you can read. The operator of the server creates tokens with 'todo-server token add'.

      To use a token without storing it, set TODO_TOKEN_FILE to a file that contains it, or to '-' for standard input.
      """)

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    let (endpoint, file) = try session.tokenLocation()
    if session.canPrompt { session.context.terminal.error("Token for \(endpoint): ") }
    guard let token = session.context.terminal.readSecret()?.trimmed, !token.isEmpty else {
      throw Failure.usage(
        "no token on standard input; paste the token that 'todo-server token add' printed", reason: "TOKEN_REQUIRED")
    }
    let credentials = try ServerCredentials(session.options, token: token, in: session.context)
    let connection = try await session.context.connect(.server(endpoint: endpoint, credentials))
    do {
      _ = try await connection.service.info()
    } catch {
      await connection.close()
      guard error as? ToDoError == .unauthenticated else { throw error }
      var failure = Failure(error)
      (failure.message, failure.details) = ("\(endpoint) does not accept the token", [])
      throw failure
    }
    await connection.close()
    try file.set(token, for: endpoint)
    session.printNotice("Logged in to \(endpoint).")
  }
}

/// `todo logout`
struct LogoutCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Delete the stored token for a server.",
    usage: "todo logout --server <endpoint> [<options>]",
    discussion: "The token remains valid until it expires or is revoked with 'todo-server token revoke'.")

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    let (endpoint, file) = try session.tokenLocation()
    let wasStored = try file.set(nil, for: endpoint)
    session.printNotice(wasStored ? "Logged out of \(endpoint)." : "Not logged in to \(endpoint).")
  }
}

extension Session {
  /// Returns the endpoint that the options or the environment specify, and the file that stores its token.
  ///
  /// - Throws: `Failure` if either is not specified.
  fileprivate func tokenLocation() throws -> (endpoint: String, TokenFile) {
    guard let text = options.server ?? context.environment("TODO_SERVER") else {
      throw Failure.usage("no server specified; use '--server' or set TODO_SERVER")
    }
    let endpoint = try Endpoint(commandLine: text)
    guard let file = TokenFile(environment: context.environment) else {
      throw Failure.usage("cannot locate the configuration directory: set HOME or XDG_CONFIG_HOME")
    }
    return (endpoint.description, file)
  }
}
