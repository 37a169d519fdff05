import Foundation
import Testing
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Compares the help of every command with the files in Golden. A run with `UPDATE_GOLDEN=1` rewrites the files.
@Suite(.unitTimeLimited) struct HelpTests {
  @Test(arguments: [
    "todo", "add", "today", "list", "ui", "watch", "show", "check", "uncheck", "edit", "snooze", "delete", "trash",
    "restore",
    "undo",
    "redo", "log", "near", "map", "geocode", "status",
    "backup", "import", "doctor", "completion", "lists", "use", "move", "share", "unshare", "skip", "step", "tags",
    "remind", "notify", "here", "feed",
  ])
  func help_matchesGoldenFile(command: String) async throws {
    let run = await TestBench().run(command == "todo" ? "--help" : "\(command) --help")
    #expect(run.status == .success)
    #expect(run.error == "")
    try GoldenFile("help-\(command).txt").expect(run.output)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(run.output.hasSuffix("\n  See 'todo help options' for the options of every command.\n"))
    #expect(!run.output.contains("--no-input"))
  }

  @Test(arguments: [("help", "--help"), ("help list", "list --help"), ("help mv", "move --help")])
  func helpCommand_printsTheHelpOfACommand(_ line: String, _ other: String) async {
    #expect(await TestBench().run(line).output == TestBench().run(other).output)
  }

  @Test func help_ofOptions_matchesGoldenFile() async throws {
    let run = await TestBench().run("help options")
    #expect(run.status == .success)
    #expect(run.error == "")
    try GoldenFile("help-options.txt").expect(run.output)
    #expect(run.output.contains("  -q, --quiet") && run.output.contains("  --version"))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  /// Man pages are made from this dump.
  @Test func dumpedHelp_containsGlobalOptions() async throws {
    let run = await TestBench().run("--experimental-dump-help")
    let command = try JSONDecoder().decode(DumpedHelp.self, from: Data(run.output.utf8)).command
    let list = try #require(command.subcommands?.first { $0.commandName == "list" })
    for command in [command, list] {
      let names = (command.arguments ?? []).filter(\.shouldDisplay).compactMap(\.preferredName?.name)
      #expect(Set(names).isSuperset(of: ["server", "no-input", "color", "help"]))
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completions_containGlobalOptions(shell: String) async {
    let run = await TestBench().run("completion \(shell)")
    #expect(run.output.contains("no-input"))
    #expect(await TestBench().run("--generate-completion-script \(shell)").output.contains("no-input"))
  }

  @Test func version_hasNoReferenceToOptions() async {
    #expect(await TestBench().run("list --version").output.split(separator: "\n").count == 1)
  }
}

/// The part of ArgumentParser's dump of the help that the test reads.
private struct DumpedHelp: Decodable {
  let command: Command

  struct Command: Decodable {
    let commandName: String
    let subcommands: [Command]?
    let arguments: [Argument]?
  }

  struct Argument: Decodable {
    let shouldDisplay: Bool
    let preferredName: Name?
  }

  struct Name: Decodable {
    let name: String
  }
}
