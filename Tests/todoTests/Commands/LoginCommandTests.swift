#if TLS
import ToDoSupport
import ToDoTestSupport
import Testing
import ToDoClient

@testable import todo

@Suite(.unitTimeLimited) struct LoginCommandTests {
  private let directory: TemporaryDirectory
  private let bench = TestBench()
  private let server = "--server tls://example.org"
  private let endpoint = "tls://example.org:8637"

  init() throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    bench.change { $0.environment["HOME"] = directory.path }
  }

  private var file: String { directory.file(".config/todo/tokens") }

  @Test func login_whenTokenIsValid_storesTokenForServer() async throws {
    bench.change { $0.answers = ["  secret "] }
    let run = await bench.run("login \(server)")
    #expect(run == .init(status: .success, output: "", error: "Logged in to \(endpoint).\n"))
    #expect(bench.selections == [.server(endpoint: endpoint, ServerCredentials(token: "secret"))])
    #expect(try TemporaryDirectory.permissions(of: file) == 0o600)
    #expect(try TemporaryDirectory.permissions(of: directory.file(".config/todo")) == 0o700)
    await bench.run("list \(server)")
    await bench.run("list --server tls://example.org:1")
    #expect(
      bench.selections.dropFirst() == [
        .server(endpoint: endpoint, ServerCredentials(token: "secret")), .server(endpoint: "tls://example.org:1"),
      ])
  }

  @Test func login_whenRepeated_replacesToken() async throws {
    for token in ["one", "two"] {
      bench.change { $0.answers = [token] }
      await bench.run("login \(server)")
    }
    #expect(try TokenFile(path: file).token(for: endpoint) == "two")
  }

  @Test func login_whenServerRejectsToken_storesNothing() async throws {
    let bench = TestBench(service: FailingService(error: .unauthenticated))
    bench.change {
      $0.environment["HOME"] = directory.path
      $0.answers = ["wrong"]
    }
    let run = await bench.run("login \(server)")
    #expect(run.status == .notAllowed)
    #expect(run.error == "Error: \(endpoint) does not accept the token\n")
    #expect(try TokenFile(path: file).token(for: endpoint) == nil)
    #expect(bench.closedConnections == 1)
  }

  @Test func login_onTerminal_prompts() async {
    bench.change {
      $0.isInteractive = true
      $0.answers = ["secret"]
    }
    #expect(await bench.run("login \(server)").error.hasPrefix("Token for \(endpoint): "))
  }

  @Test func login_withoutServerOrToken_isUsageError() async {
    #expect(await bench.run("login").status == .usage)
    #expect(await bench.run("login \(server)").status == .usage)
  }

  @Test func logout_deletesToken() async throws {
    bench.change { $0.answers = ["secret"] }
    await bench.run("login \(server)")
    #expect(await bench.run("logout \(server)").error == "Logged out of \(endpoint).\n")
    #expect(await bench.run("logout \(server)").error == "Not logged in to \(endpoint).\n")
    #expect(try TokenFile(path: file).token(for: endpoint) == nil)
  }

  @Test func tokenFile_whenReadableByOthers_isRejected() async throws {
    bench.change { $0.answers = ["secret"] }
    await bench.run("login \(server)")
    try directory.setPermissions(of: file, to: 0o640)
    let run = await bench.run("list \(server)")
    #expect(run.status == .notAllowed)
    #expect(run.error == "Error: \(file): other users can access it; restrict it with 'chmod 600'\n")
  }

  @Test func tokenFileVariable_overridesStoredToken() async throws {
    let other = directory.file("other")
    try PrivateFile.write("another\n", to: other)
    bench.change {
      $0.environment["TODO_TOKEN_FILE"] = other
      $0.answers = ["secret", "typed"]
    }
    await bench.run("login \(server)")
    await bench.run("list \(server)")
    bench.change { $0.environment["TODO_TOKEN_FILE"] = "-" }
    await bench.run("list \(server)")
    #expect(
      bench.selections
        == ["secret", "another", "typed"].map {
          .server(endpoint: endpoint, ServerCredentials(token: $0))
        })
    bench.change { $0.environment["TODO_TOKEN_FILE"] = directory.file("none") }
    #expect(await bench.run("list \(server)").status == .usage)
  }

  @Test func server_whenItContainsAPassword_isNotPrinted() async throws {
    let run = await bench.run("login --server tcp://ann:s3cret@host")
    #expect(run.status == .usage)
    #expect(run.error.contains("invalid endpoint: use tls://host:port"))
    #expect(!run.error.contains("s3cret"))
  }

  @Test func tokenFileVariable_whenItContainsTheToken_isNotPrinted() async throws {
    bench.change { $0.environment["TODO_TOKEN_FILE"] = "todo_0123456789abcdef_s3cret" }
    let run = await bench.run("list \(server)")
    #expect(run.status == .usage)
    #expect(run.error.contains("TODO_TOKEN_FILE names no file"))
    #expect(!run.error.contains("s3cret"))
  }

  @Test func certificates_fromOptionsOrEnvironment_areUsed() async {
    bench.change { $0.environment["TODO_CA"] = "ca.pem" }
    await bench.run("list \(server) --certificate ann.pem --key ann.key")
    #expect(
      bench.selections == [
        .server(
          endpoint: endpoint,
          ServerCredentials(token: nil, authorities: "ca.pem", certificate: "ann.pem", key: "ann.key"))
      ])
    #expect(await bench.run("list \(server) --key ann.key").status == .usage)
  }
}
#endif
