import ProgramSupport
import TestSupport
import Testing

@testable import todo

/// Compares the help of every command with the files in Golden. A run with `UPDATE_GOLDEN=1` rewrites the files.
@Suite struct HelpTests {
  @Test(arguments: [
    "todo", "add", "today", "list", "watch", "show", "check", "uncheck", "edit", "delete", "near", "map", "geocode",
    "status",
    "backup", "doctor", "completion",
  ])
  func help_matchesGoldenFile(command: String) async throws {
    let bench = TestBench()
    let run = await bench.run(command == "todo" ? "--help" : "\(command) --help")
    #expect(run.status == .success)
    #expect(run.error == "")
    try GoldenFile("help-\(command).txt").expect(run.output)
    #expect(await bench.run(command == "todo" ? "help" : "help \(command)").output == run.output)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
