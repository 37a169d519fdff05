import Foundation
import Testing
import ToDoTestSupport

/// Tests of completion in real shells, in a real terminal, with places that another user or a hostile server has named.
@Suite(.timeLimited, .blocking) struct CompletionBuiltProgramTests {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  private let program: BuiltProgram
  private let directory: TemporaryDirectory

  init() throws {
    program = try BuiltProgram()
    directory = try TemporaryDirectory()
  }

  /// Names of places, each with another beginning, which would create the file MARK if a shell interpreted them.
  private static let names = [
    "Ca \u{600}$(touch MARK) Zentral", "Cb'\u{301};touch MARK;'\u{301} Zentral",
    "Cc\u{600}`touch\u{301}\u{600}$IFS\u{600}MARK\u{600}`\u{301} Zentral", #"Cd "!!" $HOME \ 'Zentral'"#,
    "Ce;touch MARK;\u{301}Zentral", #"Cf`touch MARK`&&"$(touch MARK)Zentral""#, "Cg é\u{301} ~*?{a,b}#Zentral\\",
  ]

  @Test(arguments: Shell.allCases) func place_whenCompletedInShell_isOneArgument(_ shell: Shell) throws {
    for name in Self.names {
      try #require(try program.run("add", "Item", "--place=\(name)").status == 0)
    }
    let session = try start(shell)
    for name in Self.names {
      for quote in ["", "'", "\""] {
        let arguments = try arguments(session, "todo near \(quote)\(name.prefix(2))")
        #expect(Array(arguments.utf8) == Array("near\n\(name)\n".utf8), "\(name) in \(quote)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: directory.file("MARK")))
  }

  @Test(arguments: Shell.allCases) func alias_whenCompletedInShell_isCommand(_ shell: Shell) throws {
    let session = try start(shell)
    #expect(try arguments(session, "todo postp", until: "postpone") == "postpone\n")
  }

  /// Starts a shell in the directory, with the completions of `todo` and without the configuration of this machine. All
  /// commands of `todo` but completion only store their arguments.
  private func start(_ shell: Shell) throws -> TmuxSession {
    let path = "/usr/bin/\(shell.rawValue)"
    try #require(FileManager.default.isExecutableFile(atPath: path), "\(path) is missing; run '.ci/install tests'")
    let completion = try program.run("completion", shell.rawValue)
    try #require(completion.status == 0)
    try write(completion.output, to: "completion")
    let setup =
      switch shell {
      case .bash: "PS1='prompt> '\n. ./completion\necho ready\n"
      case .zsh: "PS1='prompt> '\nautoload -U compinit\ncompinit -u -D\n. ./completion\necho ready\n"
      case .fish: "function fish_prompt\nprintf 'prompt> '\nend\nsource completion\necho ready\n"
      }
    try write(setup, to: shell == .zsh ? ".zshrc" : "setup")
    try write(
      """
      #!/bin/sh
      [ "$1" = ---complete ] || { printf '%s\\n' "$@" >arguments; exit; }
      # A busy machine exceeds the time that completion has.
      for attempt in $(seq 100); do
        candidates=$('\(builtProgram("todo").path)' "$@")
        [ -z "$candidates" ] || { printf '%s\\n' "$candidates"; exit; }
      done
      """, to: "todo")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.file("todo"))

    var environment = program.environment()
    environment["LANG"] = "C.UTF-8"
    environment["HOME"] = directory.path
    environment["ZDOTDIR"] = directory.path
    let session = try TmuxSession(columns: 200, rows: 40, environment: environment)
    let options =
      switch shell {
      case .bash: "--noprofile --rcfile setup -i"
      case .zsh: "-d -i"
      case .fish: "--no-config --init-command 'source setup'"
      }
    try session.enter("cd '\(directory.path)' && PATH=\"$PWD:$PATH\" exec \(path) \(options)")
    try session.wait { $0.contains("\nready\n") }
    try session.waitForPrompt()
    return session
  }

  private func write(_ text: String, to name: String) throws {
    try text.write(toFile: directory.file(name), atomically: true, encoding: .utf8)
  }

  /// Presses Tab and Return after the start of a command, and returns the arguments with which the command then ran.
  private func arguments(
    _ session: TmuxSession, _ line: String, until completed: String = "Zentral"
  ) throws -> String {
    try? FileManager.default.removeItem(atPath: directory.file("arguments"))
    try session.press("C-l")
    // Until the shell clears the window, it shows the last command with a prompt below.
    try session.wait { $0.split(separator: "\n") == ["prompt>"] }
    try session.type(line)
    try session.press("Tab")
    try session.wait { $0.contains(completed) }
    try session.press("Enter")
    try session.waitForPrompt()
    return try String(contentsOfFile: directory.file("arguments"), encoding: .utf8)
  }
}
