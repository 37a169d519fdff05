import ArgumentParser
import TTRPCTransport
import ToDoModel

struct LoginCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Keep a token for a server, which lets you in from then on.",
    usage: "todo login --server <endpoint> [<options>]",
    discussion: """
      Reads the token from standard input, tries it, and keeps it in a file that only you can read: \
      ~/.config/todo/tokens. Tokens are made by whoever runs the server, with 'todo-server token add'.

      To use a token without keeping it, name a file that holds it in TODO_TOKEN_FILE, or '-' for standard input.
      """)

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    let (endpoint, file) = try session.tokenPlace()
    if session.canAsk { session.context.terminal.error("Token for \(endpoint): ") }
    guard let token = session.context.terminal.readSecret()?.trimmed, !token.isEmpty else {
      throw Failure.usage("there is no token on standard input", reason: "TOKEN_REQUIRED")
    }
    let access = try ServerAccess(session.options, token: token, in: session.context)
    let connection = try await session.context.connect(.server(endpoint: endpoint, access))
    do {
      _ = try await connection.service.info()
    } catch {
      await connection.close()
      throw error
    }
    await connection.close()
    try file.set(token, for: endpoint)
    session.tell("You are logged in to \(endpoint).")
  }
}

struct LogoutCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Forget the token for a server.",
    usage: "todo logout --server <endpoint> [<options>]",
    discussion: "The token stays good for whoever has it: 'todo-server token revoke' ends that.")

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    let (endpoint, file) = try session.tokenPlace()
    let wasThere = try file.set(nil, for: endpoint)
    session.tell(wasThere ? "You are logged out of \(endpoint)." : "You were not logged in to \(endpoint).")
  }
}

extension Session {
  /// The server that is meant, and the file in which its token is kept.
  fileprivate func tokenPlace() throws -> (endpoint: String, TokenFile) {
    guard let text = options.server ?? context.environment("TODO_SERVER") else {
      throw Failure.usage("which server? Name it with '--server' or TODO_SERVER")
    }
    let endpoint = try Endpoint(commandLine: text)
    guard let file = TokenFile(environment: context.environment) else {
      throw Failure.usage("there is no place for the token: set HOME or XDG_CONFIG_HOME")
    }
    return (endpoint.description, file)
  }
}
