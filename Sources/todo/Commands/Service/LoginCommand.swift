import ArgumentParser
import ToDoModel
import ToDoRPC
import ToDoText
import ToDoTransport

/// `todo login`
struct LoginCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Store a token that authenticates you to a server.",
    usage: """
      todo login --server <endpoint> [<options>]
      todo login --web [<options>]
      """,
    discussion: """
      Reads the token from standard input, verifies it with the server, and stores it in ~/.config/todo/tokens, which \
      only you can read. The operator of the server creates tokens with 'todo-server token add'.

      To use a token without storing it, set TODO_TOKEN_FILE to a file that contains it, or to '-' for standard input.

      '--web' prints a link that signs a browser in to the server's page, such as that of a phone, once and within \
      5 minutes, as you are signed in here. In a terminal, it shows a QR code too, if qrencode is installed.
      """)

  @Flag(help: "Print a link that signs a browser in.") var web = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    guard !web else { return try await printLink(in: session) }
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

extension LoginCommand {
  private func printLink(in session: Session) async throws {
    guard case .server = try session.selection() else {
      throw Failure.usage("'--web' needs a server with a page", reason: "SIGN_IN_LINKS_NOT_SUPPORTED")
    }
    let link = try await session.withConnection(selectingList: false) { connection in
      do {
        guard let service = connection.signIn else { throw RPCError(.unimplemented, reason: "", "") }
        return try await service.createSignInLink()
      } catch let error as RPCError where error.code == .unimplemented {
        throw Failure(
          code: .unimplemented, reason: "SIGN_IN_LINKS_NOT_SUPPORTED",
          message: "this server has no page to sign in to; its operator can turn HTTP on, in the current version")
      }
    }
    let address = (link.origin + link.path).escapingControls()
    if session.options.json {
      let members: [JSONValue.Member] = [
        .init("url", .string(link.origin + link.path)), .init("expiresAt", .string(link.expiresAt.description)),
      ]
      return try session.print(JSONValue.object(members).indentedText)
    }
    try session.print(address)
    guard !session.options.quiet else { return }
    if link.origin.isEmpty {
      return session.printNotice("The server does not know its own address: write https:// and its host before it.")
    }
    if session.context.terminal.outputIsTerminal {
      // In the environment, which other users cannot read, unlike arguments.
      let command = #"command -v qrencode >/dev/null && printf %s "$SIGN_IN_LINK" | qrencode -t UTF8"#
      try? await session.context.runProgram(["/bin/sh", "-c", command], ["SIGN_IN_LINK": address])
    }
    session.printNotice("Open it in a browser within 5 minutes. It signs you in once, so send it to nobody.")
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
