import Foundation
import Testing
import ToDoTestProcesses
import ToDoTestSupport

@testable import todo

/// Tests of a real process: its streams, signals, time zone and database file.
@Suite(.timeLimited, .blocking) struct BuiltProgramTests {
  let program: BuiltProgram

  init() throws {
    program = try BuiltProgram()
  }

  @Test func items_afterExit_persist() throws {
    #expect(try program.run("add", "Milk", "--place", "Shop").status == 0)
    #expect(
      try program.run("list") == .init(status: 0, output: "To do (1)\n  1  Milk  Shop\n", error: ""))
    #expect(try program.run("status").output.contains("health    serving\n"))
  }

  @Test(
    arguments: [
      (["show", "ffff"], 3), (["chek"], 2), (["--server", "unix:///nowhere/socket", "list"], 5), (["--version"], 0),
    ] as [([String], Int32)])
  func process_whenCommandEnds_exitsWithStatus(arguments: [String], status: Int32) throws {
    let process = try program.start(arguments, output: .null, error: .null)
    #expect(process.wait() == .exited(status))
  }

  @Test(arguments: [
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29 02:30", "Sun 2026-03-29 03:30 CEST"),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25 02:30", "Sun 2026-10-25 02:30 CEST"),
    ("<+0545>-5:45", "2026-05-01 17:00Z", "Fri 2026-05-01 22:45 +0545"),
    ("EST5EDT,M3.2.0,M11.1.0", "2026-01-15 noon", "Thu 2026-01-15 12:00 EST"),
  ])
  func due_whenTZIsSet_usesTimeZone(zone: String, due: String, text: String) throws {
    _ = try program.run("add", "Call", "--due", due, environment: ["TZ": zone])
    let run = try program.run("show", "1", environment: ["TZ": zone])
    #expect(run.output.contains(" \(text)"))
  }

  @Test func output_whenPipeIsClosed_succeeds() throws {
    let (unread, error) = (try ProcessPipe(), try StreamFile())
    unread.readingEnd.close()
    let process = try program.start(["--help"], output: .pipe(unread), error: .file(error))
    #expect(process.wait() == .exited(0))
    #expect(try error.text() == "")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func output_whenDiskIsFull_fails() throws {
    let (full, error) = (try StreamFile(path: "/dev/full"), try StreamFile())
    let process = try program.start(["--help"], output: .file(full), error: .file(error))
    #expect(process.wait() == .exited(1))
    #expect(try error.text() == "Error: cannot write the output: No space left on device\n")
  }

  @Test func prompt_onTerminal_readsAnswer() throws {
    #expect(try program.run("add", "Milk").status == 0)
    let terminal = try PseudoTerminal()
    let process = try run(["delete", "--all"], at: terminal)
    #expect(try terminal.userEnd.read(upTo: "[y/N] ").contains("Delete 1 item? [y/N] "))
    try terminal.userEnd.write("y\n")
    #expect(try terminal.userEnd.read(upTo: "Deleted").contains("Deleted"))
    #expect(process.wait() == .exited(0))
    #expect(try program.run("list", "-q").output == "")
  }

  @Test func interrupt_whilePrompting_exitsWith130() throws {
    #expect(try program.run("add", "Milk").status == 0)
    let terminal = try PseudoTerminal()
    let process = try run(["delete", "--all"], at: terminal)
    _ = try terminal.userEnd.read(upTo: "[y/N] ")
    process.signal(SIGINT)
    #expect(process.wait() == .exited(130))
    #expect(try program.run("list", "-q").output != "")
  }

  @Test func argument_whenNotUTF8_isRejected() throws {
    let script = "exec \"$0\" add \"$(printf 'a\\377')\""
    let shell = try CompletedProcess("/bin/sh", ["-c", script, builtProgram("todo").path])
    #expect(shell.termination == .exited(2))
    #expect(shell.error == "Error: an argument is not valid UTF-8\n")
  }

  @Test func processes_whenWritingConcurrently_succeed() async throws {
    let program = program
    try await withThrowingTaskGroup { group in
      for number in 1...8 {
        group.addTask { try program.run("add", "Item \(number)") }
      }
      for try await run in group { #expect(run.status == 0, "\(run.error)") }
    }
    #expect(try program.run("list", "-q").output.split(separator: "\n").count == 8)
  }

  private func run(_ arguments: [String], at terminal: PseudoTerminal) throws -> SpawnedProcess {
    let stream = SpawnedProcess.Stream.descriptor(terminal.programEnd)
    return try program.start(arguments, ["NO_COLOR": "1"], input: stream, output: stream, error: stream)
  }
}
