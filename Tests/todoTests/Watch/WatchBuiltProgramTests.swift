import Foundation
import Testing
import ToDoTestProcesses
import ToDoTestSupport

@testable import todo

/// Tests of a watch in a real process, with a real terminal and a real pipe.
@Suite(.timeLimited, .blocking) struct WatchBuiltProgramTests {
  let program: BuiltProgram

  init() throws {
    program = try BuiltProgram()
  }

  /// Starts a watch in a window.
  private func watch(columns: Int = 60, rows: Int = 10, environment: [String: String] = [:]) throws -> TmuxSession {
    let session = try TmuxSession(columns: columns, rows: rows, environment: program.environment(environment))
    // A subshell writes its process ID and then executes the program.
    try session.enter("sh -c 'echo $$ >$XDG_DATA_HOME/pid; exec \(builtProgram("todo").path) watch'")
    try session.wait { $0.contains("To do (") || $0.contains("The list is empty.") }
    return session
  }

  private func pid() throws -> Int32 {
    let text = try String(
      contentsOfFile: try #require(program.environment()["XDG_DATA_HOME"]) + "/pid", encoding: .utf8)
    return try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// Expects that the window shows the shell again, and that the line discipline is restored.
  private func expectRestored(_ session: TmuxSession, status: Int) throws {
    try session.waitForPrompt()
    try session.enter("echo status $?")
    try session.wait { $0.contains("\nstatus \(status)\n") }
    try session.enter("clear; stty -a | tr ' ' '\\n' | grep -E '^-?(icanon|echo|isig);?$'")
    let screen = try session.wait { $0.contains("\necho\n") }
    #expect(screen.contains("\nicanon\n") || screen.hasPrefix("icanon\n"))
  }

  @Test func window_whenOtherProcessesWrite_showsChanges() throws {
    #expect(try program.run("add", "Milk", "--place", "Shop").status == 0)
    let session = try watch()
    #expect(try session.screen().hasPrefix("To do (1)\n>  1  Milk  Shop\n"))

    #expect(try program.run("add", "牛乳\u{1B}[2J").status == 0)
    let added = try session.wait { $0.contains("To do (2)\n") }
    #expect(try /\n  \*[0-9]+ +牛乳\\u\{1B\}\[2J\n/.firstMatch(in: added) != nil)
    try session.wait { !$0.contains("*") }

    let ids = try program.run("list", "-q").output.split(separator: "\n")
    #expect(try program.run("check", String(ids[0])).status == 0)
    let checked = try session.wait { $0.contains("Done (1)\n") }
    #expect(try /To do \(1\)\n>[^\n]+牛乳[^\n]+\n\nDone \(1\)\n  \*[0-9]+  Milk/.firstMatch(in: checked) != nil)

    // The narrow window has room for three lines above the status line.
    try session.resize(columns: 40, rows: 4)
    try session.wait { $0.hasPrefix("To do (1)\n>") && !$0.contains("Milk") }
    try session.press("Down")
    try session.wait { $0.contains("Done (1)\n>") && !$0.contains("To do (1)") }
    try session.press("k")
    try session.wait { $0.hasPrefix("To do (1)\n>") }

    try session.resize(columns: 60, rows: 10)
    try session.press("q")
    try expectRestored(session, status: 0)
  }

  @Test func terminal_afterCtrlC_isRestored() throws {
    let session = try watch()
    try session.press("C-c")
    try expectRestored(session, status: 130)
  }

  @Test func terminal_whileProcessIsSuspended_isRestored() throws {
    let session = try watch()
    try session.press("C-z")
    try session.wait { $0.contains("Stopped") }
    #expect(try program.run("add", "Milk").status == 0)
    try session.enter("fg")
    try session.wait { $0.hasPrefix("To do (1)\n>  1  Milk\n") }
    try session.press("q")
    try expectRestored(session, status: 0)
  }

  @Test(arguments: [(SIGTERM, 130), (SIGHUP, 130), (SIGQUIT, 130), (SIGSEGV, 139), (SIGABRT, 134), (SIGTRAP, 133)])
  func terminal_afterSignal_isRestored(signal: Int32, status: Int) throws {
    let session = try watch(environment: ["SWIFT_BACKTRACE": "enable=no"])
    kill(try pid(), signal)
    try expectRestored(session, status: status)
  }

  @Test func lines_untilPipeIsClosed_followChanges() throws {
    let (output, error) = (try ProcessPipe(), try StreamFile())
    let process = try program.start(["watch"], output: .pipe(output), error: .file(error))
    let lines = output.readingEnd
    #expect(try lines.readLines(1).hasPrefix("{\"type\": \"progress\", \"revision\": 0, \"incarnation\": \""))
    #expect(try program.run("add", "Milk").status == 0)
    #expect(try lines.readLines(1).hasPrefix("{\"type\": \"put\", \"revision\": 1, \"last\": true, "))
    // The list is idle. The program must detect the closed pipe without writing to it.
    lines.close()
    #expect(process.wait() == .exited(0))
    #expect(try error.text() == "")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func lines_afterSignal_end(signal: Int32) throws {
    let output = try ProcessPipe()
    let process = try program.start(["watch"], output: .pipe(output))
    _ = try output.readingEnd.readLines(1)
    process.signal(signal)
    #expect(process.wait() == .exited(130))
  }
}
