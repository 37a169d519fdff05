import Testing
import ToDoTestServers
import ToDoTestSupport

/// Tests that an error says what to do, and shows a usage only if that is the cause.
@Suite(.timeLimited) struct CommandErrorProcessTests {
  @Test(
    arguments: [
      (
        ["token", "add", "ann", "--expires", "5"],
        "Error: expires: '5' is not a valid duration; use a form such as 12h or 90d, at most 100 years"
      ),
      (["token", "revoke", "xx"], "Error: id: 'xx' is not 16 hexadecimal digits; run 'todo-server token list'"),
      (
        ["token", "list", "--store", "sqlite:/nowhere/items.sqlite"],
        "Error: there is no database at /nowhere/items.sqlite; check the path, or start the server once to create it"
      ),
      (["migrate", "--store", "memory:"], "Error: store: 'memory:' has no schema; use sqlite:PATH"),
      (
        ["serve", "--listen", "tls://localhost:0"],
        "Error: tls:// needs a certificate; set '--tls-certificate' and '--tls-key'"
      ),
      (
        ["serve", "--tls-key", "key.pem"],
        "Error: tls-certificate is missing; set '--tls-certificate' and '--tls-key' together"
      ),
      (["serve", "--config", "/"], "Error: config: '/' cannot be read: it is not a readable file"),
    ] as [([String], String)])
  func error_thatIsNotOfTheUsage_isOneLine(_ command: [String], _ text: String) throws {
    let run = try ProgramRun("todo-server", command)
    #expect(run.status == 64)
    #expect(run.text == text)
  }

  @Test func userName_whenInvalid_saysWhichAreValid() throws {
    let run = try ProgramRun("todo-server", "user", "add", "Ann")
    #expect(run.status == 64)
    #expect(
      run.text.hasPrefix("Error: The value 'Ann' is invalid for '<name>': not a user name; use 1 to 64 of the letters"))
  }

  #if PostgreSQL
  @Test func store_thatCannotBeCopied_isNotOffered() throws {
    let run = try ProgramRun("todo-server", "migrate-store", "--from", "memory:", "--to", "sqlite:/nowhere/x")
    #expect(run.status == 1)
    #expect(run.text == "Error: from: 'memory:' cannot be copied; use sqlite:PATH or postgresql://HOST/DATABASE")
  }
  #endif
}
