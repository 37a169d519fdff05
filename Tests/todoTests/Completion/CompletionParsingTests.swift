import Testing
import ToDoModel
import ToDoTestSupport

@testable import todo

/// Tests of the pure parts of completion.
@Suite(.unitTimeLimited) struct CompletionParsingTests {
  /// The scripts, which take longer to make than a test.
  private static let scripts = Dictionary(
    uniqueKeysWithValues: CompletionCommand.Shell.allCases.map { ($0, CompletionScript(shell: $0).text) })
  private static let breaks = Set(" \t\n\"'@><=;|&(:".unicodeScalars)

  @Test(
    arguments: [
      ("todo check ", ["todo", "check"], "", nil, ""), ("todo check 1", ["todo", "check"], "1", nil, ""),
      (#"todo add a\ b @Cor"#, ["todo", "add", "a b"], "@Cor", nil, "@"),
      (#"todo add --place "Corner s"#, ["todo", "add", "--place"], "Corner s", .double, ""),
      ("todo add --place 'a", ["todo", "add", "--place"], "a", .single, ""),
      ("todo near Cafe'\u{301}b", ["todo", "near"], "Cafe\u{301}b", .single, "Cafe"),
      ("todo near a\u{A0}b", ["todo", "near"], "a\u{A0}b", nil, ""),
      (#"todo add "a \" \b" '' "#, ["todo", "add", #"a " \b"#, ""], "", nil, ""),
      ("todo --server tcp://h:1 check ", ["todo", "--server", "tcp://h:1", "check"], "", nil, ""),
    ] as [(String, [String], String, ShellLine.Quote?, String)])
  func shellLine_isSplitIntoWords(
    _ text: String, _ words: [String], _ current: String, _ quote: ShellLine.Quote?, _ kept: String
  ) {
    let line = ShellLine(text, breaks: Self.breaks)
    #expect(line.words == words)
    #expect(line.current == current)
    #expect(line.quote == quote)
    #expect(Array(line.kept.unicodeScalars) == Array(kept.unicodeScalars))
  }

  @Test(
    arguments: [
      ("check", "", .items(.toDo, except: [])), ("done 1", "", .items(.toDo, except: ["1"])),
      ("rm 1 2", "3", .items(.toDo, except: ["1", "2"])), ("mv", "", .items(.toDo, except: [])),
      ("mv 1", "", .lists(deleted: false)), ("move 1 2", "w", .lists(deleted: false)),
      ("edit 1", "", .items(.toDo, except: ["1"])), ("show", "1", .items(.toDo, except: [])),
      ("uncheck", "", .items(.done, except: [])), ("remind", "", .reminderActions),
      ("remind snooze", "", .items(.toDo, except: [])), ("remind list", "", nil), ("add A --remind", "", .reminders),
      ("restore", "", .deletedItems(except: [])), ("share", "", .lists(deleted: false)),
      ("share work", "", .users(of: nil)), ("share work --can view", "", .users(of: nil)), ("share work ann", "", nil),
      ("unshare work", "a", .users(of: "work")), ("unshare work ann", "", nil),
      ("notify add --secret-file", "", nil), ("notify add --secret-file token", "", .notificationKinds),
      ("near", "Cor", .places(prefix: "")), ("add", "@Cor", nil),
      ("add Milk", "@Cor", .places(prefix: "@")), ("add Milk", "to", nil), ("add -- Milk", "@Cor", nil),
      ("add Milk --place", "", .places(prefix: "")), ("add Milk --due", "to", .dates),
      ("edit 1 --place x --due", "", .dates), ("list --at", "", .places(prefix: "")), ("list --due", "", .dueFilters),
      ("watch --due", "", .dueFilters), ("ui --place", "", .places(prefix: "")),
      ("check --at", "", .places(prefix: "")),
      ("edit 1 --at", "", nil), ("check", "-", nil), ("check --server tcp://h:1", "", .items(.toDo, except: [])),
      ("--server tcp://h:1 check", "", .items(.toDo, except: [])), ("list", "", nil), ("", "", nil), ("nope", "", nil),
    ] as [(String, String, CompletionTarget?)])
  func target_ofLine_isWhatCommandAccepts(_ words: String, _ current: String, _ target: CompletionTarget?) {
    #expect(CompletionLine(words.split(separator: " ").map(String.init)[...], current: current).target == target)
  }

  @Test func serviceOptions_areCollected() {
    let line = CompletionLine(["--server", "tcp://h:1", "check", "--ca", "a.pem", "--json"], current: "")
    #expect(line.serviceOptions == ["--server", "tcp://h:1", "--ca", "a.pem"])
  }

  @Test func optionsWithValue_areThoseOfHelp() async {
    var names = Set<String>()
    for command in [
      "add", "list", "ui", "watch", "log", "near", "map", "geocode", "edit", "backup", "remind", "options", "share",
      "notify",
    ] {
      for line in await TestBench().run("help \(command)").output.split(separator: "\n") {
        let words = line.split(separator: " ")
        // A short name precedes the long one: `-L, --list <list>`.
        let options = words.prefix { word in word.hasPrefix("-") }
        guard options.count < words.count, words[options.count].hasPrefix("<") else { continue }
        for option in options { names.insert(String(option.prefix { character in character != "," })) }
      }
    }
    #expect(OptionNames.withValue == names)
  }

  @Test(
    arguments: [
      (.zsh, "a:b\\c", "x:y", "a\\:b\\\\c:x:y\n"), (.zsh, "a:\u{301}\\\u{301}", "", "a\\:\u{301}\\\\\u{301}\n"),
      (.zsh, "1", "", "1\n"), (.fish, "1", "x", "1\tx\n"),
      (.fish, "1", "", "1\n"),
      (.bash(isListing: false, ShellLine("", breaks: [])), "a b'c$é", "x", #"a' b'\''c$é'"# + "\n"),
      (.bash(isListing: true, ShellLine("", breaks: [])), "12", "x", "12\n"),
      (.bash(isListing: false, ShellLine("todo add a @C", breaks: breaks)), "@Corner shop", "x", "Corner' shop'\n"),
      (
        .bash(isListing: false, ShellLine("todo add --place \"C", breaks: breaks)), "C \"$`d'", "",
        ##"C "'"$`d'\'''"""## + "\n"
      ),
      (.bash(isListing: false, ShellLine("todo add --place 'C", breaks: breaks)), "C'd $", "", #"C'\''d $"# + "\n"),
    ] as [(CandidateFormat, String, String, String)])
  func candidate_isFormattedForShell(
    _ format: CandidateFormat, _ value: String, _ description: String, _ text: String
  ) {
    let output = format.text([CompletionCandidate(value: value, description: description)])
    #expect(Array(output.utf8) == Array(text.utf8))
  }

  @Test func candidates_whenBashLists_haveDescriptions() {
    let format = CandidateFormat.bash(isListing: true, ShellLine("", breaks: []))
    let candidates = [CompletionCandidate(value: "1", description: "Milk"), CompletionCandidate(value: "2")]
    #expect(format.text(candidates) == "1  (Milk)\n2\n")
  }

  @Test func candidates_whenBashWouldListThemAsOne_areQuoted() {
    let format = CandidateFormat.bash(isListing: true, ShellLine("todo near C", breaks: []))
    let candidates = [
      CompletionCandidate(value: "C", description: ";touch x)  (y"),
      CompletionCandidate(value: "C  (;touch x)", description: "y"),
    ]
    #expect(format.text(candidates) == "C\nC'  (;touch x)'\n")
  }

  @Test(arguments: [
    [], ["list"], ["---complete"], ["---complete", "tcsh", "todo", ""], ["---complete", "zsh", "todo"],
    ["---complete", "bash", "9", ""],
  ])
  func request_ofOtherArguments_isNone(_ arguments: [String]) {
    #expect(CompletionRequest(arguments) == nil)
  }

  @Test(arguments: CompletionCommand.Shell.allCases)
  func script_requestsValuesOfList(_ shell: CompletionCommand.Shell) throws {
    let script = try #require(Self.scripts[shell])
    #expect(script.contains("---complete \(shell.rawValue) "))
    #expect(shell == .fish || script.contains("_todo() {\n    __todo_list_values && return 0\n"))
  }

  @Test(arguments: ["check", "done", "list", "ls", "ui", "watch"])
  func fishScript_completesFiltersOf(_ command: String) throws {
    let script = try #require(Self.scripts[.fish])
    let lines = script.split(separator: "\n").filter { $0.contains("__todo_list_values") }
    for option in ["-l due ", "-l at "] {
      let commands = lines.filter { $0.contains(option) }.flatMap { $0.split { " '".contains($0) } }
      #expect(commands.contains { $0 == command }, "\(option)")
    }
  }
}
