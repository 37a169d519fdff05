import FoundationEssentials
import Glibc
import Testing
import ToDoTestProcesses
import ToDoTestSupport

/// Two users of a server who share a list: bob looks at it in a terminal, and ann works at the command line.
@Suite(.timeLimited, .blocking) struct SharedListBuiltProgramTests {
  private let directory: TemporaryDirectory
  private let server: BuiltServer
  private let (ann, bob): (User, User)

  /// A user, with data of the user's own.
  private struct User {
    let program: BuiltProgram
    let environment: [String: String]

    /// Runs a command, and expects that it succeeds.
    @discardableResult
    func run(_ arguments: String...) throws -> String {
      let run = try program.run(arguments, environment: environment)
      #expect(run.status == 0, "\(run.error)")
      return run.output
    }
  }

  init() throws {
    let directory = try TemporaryDirectory()
    server = try BuiltServer(in: directory)
    (ann, bob) = (try Self.add("ann", directory, server), try Self.add("bob", directory, server))
    self.directory = directory
  }

  private static func add(_ name: String, _ directory: TemporaryDirectory, _ server: BuiltServer) throws -> User {
    let store = ["--store", "sqlite:\(directory.path)/items.sqlite"]
    func administer(_ arguments: [String]) throws -> String {
      let process = try CompletedProcess(builtProgram("todo-server").path, arguments + store, environment: [:])
      #expect(process.termination == .exited(0), "\(process.error)")
      return String(process.output.split(separator: "\n")[0])
    }
    _ = try administer(["user", "add", name])
    let file = directory.file("\(name).token")
    try administer(["token", "add", name]).write(toFile: file, atomically: true, encoding: .utf8)
    chmod(file, 0o600)
    return User(program: try BuiltProgram(), environment: ["TODO_SERVER": server.endpoint, "TODO_TOKEN_FILE": file])
  }

  @Test func choreOfSharedList_checkedByOne_isSeenByTheOther() throws {
    try ann.run("lists", "create", "Home")
    try ann.run("add", "Water the plants", "--due", "2026-01-05", "--repeat", "every 2 days", "--list", "Home")
    try ann.run("share", "Home", "bob", "--can", "edit")
    try bob.run("lists", "accept", "Home")

    let window = try TmuxSession(columns: 100, rows: 24, environment: bob.program.environment(bob.environment))
    try window.enter("\(builtProgram("todo").path) ui --list Home")
    try window.wait { $0.contains("Overdue (1)") && $0.contains("Water the plants") }
    try ann.run("check", "Home/1")
    // The occurrence is done, and the item has moved on.
    try window.wait { $0.contains("Done (1)") && $0.contains("missed") }

    try window.press("a")
    try window.type("Take out the bins")
    try window.press("Enter")
    try window.wait { $0.contains("*3  Take out the bins") && $0.contains("revision    3") }
    #expect(try ann.run("list", "--list", "Home").contains("Take out the bins"))
    #expect(try ann.run("log", "--list", "Home", "--limit", "1").contains("bob"))

    try ann.run("unshare", "Home", "bob")
    try window.wait { $0.contains("ann no longer shares the list 'Home' with you") }
    try window.press("q")
    try window.waitForPrompt()
    server.crash()
  }
}
