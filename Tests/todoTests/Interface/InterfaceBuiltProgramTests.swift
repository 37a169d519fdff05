import Foundation
import Testing
import ToDoTestProcesses
import ToDoTestSupport

/// Tests of `todo ui` in a real process, with a real terminal and a real server.
@Suite(.timeLimited, .blocking) struct InterfaceBuiltProgramTests {
  let program: BuiltProgram

  init() throws {
    program = try BuiltProgram()
  }

  /// Starts the interface in a window.
  private func start(_ environment: [String: String] = [:]) throws -> TmuxSession {
    let session = try TmuxSession(columns: 100, rows: 40, environment: program.environment(environment))
    // A subshell writes its process ID and then executes the program.
    try session.enter("sh -c 'echo $$ >$XDG_DATA_HOME/pid; exec \(builtProgram("todo").path) ui'")
    return session
  }

  /// Kills the interface that was started last, as a crash would, and waits for its end.
  private func crash() throws {
    let directory = try #require(program.environment()["XDG_DATA_HOME"])
    let text = try String(contentsOfFile: "\(directory)/pid", encoding: .utf8)
    let process = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    kill(process, SIGKILL)
    // The process holds its lock on the draft until it ends. The shell then reaps it.
    while kill(process, 0) == 0 { usleep(20_000) }
  }

  /// Quits, and expects that the window shows the shell again.
  private func quit(_ session: TmuxSession) throws {
    try session.press("q")
    try session.waitForPrompt()
    try session.enter("echo status $?")
    try session.wait { $0.contains("\nstatus 0\n") }
  }

  /// Adds an item with an address in the form.
  private func addItem(_ session: TmuxSession) throws {
    try session.press("A")
    try session.wait { $0.contains("address") }
    try session.type("Buy milk")
    try session.press("Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab")
    try session.type("Munich")
    try session.wait { $0.contains("Buy milk") && $0.contains("Bavaria") }
    try session.press("C-s")
    try session.wait { $0.contains("To do (1)") && $0.contains("Buy milk") }
  }

  /// Waits until the interface is connected to the server again.
  private func waitForConnection(_ session: TmuxSession) throws {
    try session.wait { screen in
      let status = screen.split(separator: "\n").last ?? ""
      return !status.hasPrefix("server unreachable since") && !status.hasPrefix("connecting")
    }
  }

  /// Adds an item, views its map, checks it, edits it in Done, unchecks it, deletes it, and undoes the deletion.
  ///
  /// - Parameter interrupt: runs after the item is added, checked, edited and deleted.
  private func makeJourney(
    _ session: TmuxSession, _ environment: [String: String] = [:], interrupt: () throws -> Void = {}
  ) throws {
    try session.wait { $0.contains("The list is empty") }
    try addItem(session)
    try interrupt()

    try session.press("Enter")
    let detail = try session.wait { $0.contains("geo:") }
    #expect(detail.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
    try session.press("Space")
    // The watch can show a change before its response arrives.
    try session.wait { $0.contains("Done (1)") && $0.contains("checked 'Buy milk'") }
    try interrupt()

    try session.press("End", "e")
    try session.wait { $0.contains("address") }
    try session.type(" now")
    try session.press("C-s")
    try session.wait { $0.contains("Done (1)") && $0.contains("Buy milk now") }
    #expect(try program.run("list", "--done", environment: environment).output.contains("Buy milk now"))
    try interrupt()

    try session.press("End", "Space")
    try session.wait { $0.contains("To do (1)") && !$0.contains("Done (1)") }
    try session.press("Home", "d")
    try session.wait { $0.contains("The list is empty") && $0.contains("deleted 'Buy milk now'") }
    try interrupt()
    try session.press("u")
    try session.wait { $0.contains("To do (1)") && $0.contains("Buy milk now") }
    try quit(session)
    #expect(try program.run("list", "--todo", environment: environment).output.contains("Buy milk now"))
  }

  @Test func journey_fromAddingToUndoing_changesList() throws {
    try makeJourney(try start())
  }

  /// The undo works after a restart, because the database contains the history.
  @Test func journey_whenServerIsKilledBetweenSteps_changesList() throws {
    let directory = try TemporaryDirectory()
    var server = try BuiltServer(in: directory)
    let environment = ["TODO_SERVER": server.endpoint]
    let session = try start(environment)
    try makeJourney(session, environment) {
      server.crash()
      try session.wait { $0.contains("unreachable since") }
      server = try BuiltServer(in: directory)
      try waitForConnection(session)
    }
    server.crash()
  }

  @Test func form_whenServerRestarts_keepsText() throws {
    let directory = try TemporaryDirectory()
    var server = try BuiltServer(in: directory)
    let session = try start(["TODO_SERVER": server.endpoint])
    try session.wait { $0.contains("The list is empty") }
    try addItem(session)

    try session.press("A")
    try session.wait { $0.contains("address") }
    try session.type("Pay rent")
    server.crash()
    try session.wait { $0.contains("unreachable since") }
    try session.press("C-s")
    try session.wait { $0.contains("Pay rent") && $0.contains("keeps the text") }
    server = try BuiltServer(in: directory)
    try waitForConnection(session)
    try session.press("C-s")
    try session.wait { $0.contains("To do (2)") && $0.contains("Pay rent") }
    try session.press("Home", "Space")
    try session.wait { $0.contains("Done (1)") }
    try quit(session)
    server.crash()
  }

  @Test func draft_afterCrash_isRestored() throws {
    let directory = try TemporaryDirectory()
    let environment = ["XDG_STATE_HOME": directory.path]
    let session = try start(environment)
    try session.wait { $0.contains("The list is empty") }
    try session.press("A")
    try session.wait { $0.contains("address") }
    try session.type("Pay rent")
    // The draft is stored a second after the first key.
    while (try? FileManager.default.contentsOfDirectory(atPath: directory.file("todo")))?
      .contains(where: { $0.hasSuffix(".md") }) != true
    {
      usleep(20_000)
    }
    try crash()
    let second = try start(environment)
    try second.wait { $0.contains("Pay rent") && $0.contains("draft") }
    try second.press("C-s")
    try second.wait { $0.contains("To do (1)") && $0.contains("Pay rent") }
    try quit(second)
  }

  @Test func interface_whenServerIsDown_fails() throws {
    let directory = try TemporaryDirectory()
    let session = try start(["TODO_SERVER": "unix://\(directory.path)/todo.sock"])
    // The prompt above the command is still there until the program has begun.
    try session.wait { $0.contains("Error: ") }
    try session.waitForPrompt()
    try session.enter("echo status $?")
    try session.wait { $0.contains("\nstatus 5\n") }
  }
}
