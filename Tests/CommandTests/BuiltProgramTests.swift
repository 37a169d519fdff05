import Foundation
import TestSupport
import Testing

@testable import todo

/// Tests of a real process: its streams, signals, time zone and database file.
@Suite(.serialized, .timeLimited) struct BuiltProgramTests {
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
    let process = program.process(arguments)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == status)
  }

  @Test(arguments: [
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29 02:30", "Sun 2026-03-29 03:30 CEST"),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25 02:30", "Sun 2026-10-25 02:30 CEST"),
    ("<+0545>-5:45", "2026-05-01 17:00Z", "Fri 2026-05-01 22:45 +0545"),
    ("EST5EDT,M3.2.0,M11.1.0", "2026-01-15 noon", "Thu 2026-01-15 12:00 EST"),
  ])
  func due_whenTZIsSet_usesTimeZone(zone: String, due: String, echo: String) throws {
    let run = try program.run("add", "Call", "--due", due, environment: ["TZ": zone])
    #expect(run.output.hasSuffix(": Call, due \(echo)\n"))
  }

  @Test func output_whenPipeIsClosed_succeeds() throws {
    let (unread, error) = (Pipe(), Pipe())
    let process = program.process(["--help"])
    process.standardOutput = unread
    process.standardError = error
    try unread.fileHandleForReading.close()
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    try error.fileHandleForWriting.close()
    #expect(try error.fileHandleForReading.readToEnd()?.isEmpty ?? true)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func output_whenDiskIsFull_fails() throws {
    let error = Pipe()
    let process = program.process(["--help"])
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    process.standardError = error
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    try error.fileHandleForWriting.close()
    let text = String(decoding: try error.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(text == "Error: cannot write the output: No space left on device\n")
  }

  @Test func prompt_onTerminal_readsAnswer() throws {
    #expect(try program.run("add", "Milk").status == 0)
    let terminal = try PseudoTerminal()
    let process = try run(["delete", "--all"], at: terminal)
    #expect(terminal.read(upTo: "[y/N] ").contains("Delete 1 item? [y/N] "))
    try terminal.type("y\n")
    #expect(terminal.read(upTo: "Deleted").contains("Deleted"))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try program.run("list", "-q").output == "")
  }

  @Test func interrupt_whilePrompting_exitsWith130() throws {
    #expect(try program.run("add", "Milk").status == 0)
    let terminal = try PseudoTerminal()
    let process = try run(["delete", "--all"], at: terminal)
    _ = terminal.read(upTo: "[y/N] ")
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
    #expect(try program.run("list", "-q").output != "")
  }

  @Test func argument_whenNotUTF8_isRejected() throws {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "exec \"$0\" add \"$(printf 'a\\377')\"", builtProgram("todo").path]
    let errors = Pipe()
    shell.standardError = errors
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 2)
    #expect(try errors.fileHandleForReading.readToEnd() == Data("Error: an argument is not valid UTF-8\n".utf8))
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

  private func run(_ arguments: [String], at terminal: PseudoTerminal) throws -> Process {
    let process = program.process(arguments, ["NO_COLOR": "1"])
    process.standardInput = terminal.programEnd
    process.standardOutput = terminal.programEnd
    process.standardError = terminal.programEnd
    try process.run()
    return process
  }
}
