import ProgramSupport
import TestSupport
import Testing

@testable import todo

/// The help of every command is what the files in Golden hold; a run with `UPDATE_GOLDEN=1` writes them anew.
@Suite struct HelpTests {
  @Test(arguments: [
    "todo", "add", "list", "watch", "show", "check", "uncheck", "edit", "delete", "near", "map", "geocode", "status",
    "backup",
  ])
  func help_isAsRecorded(command: String) async throws {
    let bench = TestBench()
    let run = await bench.run(command == "todo" ? "--help" : "\(command) --help")
    #expect(run.status == .success)
    #expect(run.error == "")
    try GoldenFile("help-\(command).txt").expect(run.output)
    #expect(await bench.run(command == "todo" ? "help" : "help \(command)").output == run.output)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
