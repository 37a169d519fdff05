import ArgumentParser
import Testing
import ToDoGeocoders
import ToDoModel
import ToDoRPC
import ToDoStores
import ToDoSupport
import ToDoTestSupport
import ToDoText

@testable import todo

/// Tests of behavior that all commands share.
@Suite(.unitTimeLimited) struct ProgramTests {
  @Test(
    arguments: [
      ("add Milk", AddCommand.self), ("ls --all", ListCommand.self), ("done 1 2", CheckCommand.self),
      ("undo", UndoCommand.self), ("status --json", StatusCommand.self), ("today", TodayCommand.self),
      ("--server tcp://a:1 -q list", ListCommand.self),
    ] as [(String, any ToDoCommand.Type)])
  func subcommand_isParsedAlone(_ text: String, _ type: any ToDoCommand.Type) throws {
    let command = try #require(ToDo.parseSubcommand(text.split(separator: " ").map(String.init)))
    #expect(Swift.type(of: command) == type)
  }

  @Test(
    arguments: [
      "", "edit", "add --help", "add Milk --version", "add Milk --nope", "--json", "help add", "nope", "list --help",
      "list --generate-completion-script bash", "list --server", "list --color blue", "list --json --quiet",
      "add Milk -qq", "list --json=1",
    ])
  func parseSubcommand_ofHelpOrErrors_returnsNil(_ text: String) {
    #expect(ToDo.parseSubcommand(text.split(separator: " ").map(String.init)) == nil)
  }

  @Test(
    arguments: [
      "list --json -- --quiet", "add Milk --server tcp://a:1 --yes --no-input", "add --server=a --server b Milk",
      "add Milk --at -1,2 -q", "list --color=never --color always", "ls --ca a --certificate=b --key c --geocoder none",
      "add -- --json", "near Rossi --json --limit 3", "add a=b --quiet", "list --server=", "list --color blue",
      "list --json --quiet", "list --json=1",
    ])
  func optionsOfEveryCommand_areTakenAsTheParserReadsThem(_ text: String) throws { try expectSameCommand(text) }

  @Test(
    arguments: ["add --at", "add --note", "add --first", "geocode --near", "near --limit", "list --at", "list --all"])
  func optionsOfEveryCommand_besideOthers_areTakenAsTheParserReadsThem(_ text: String) throws {
    for rest in [" --json 1", " --json", "=1 -q", " 1 --yes", " --server a"] { try expectSameCommand(text + rest) }
  }

  @Test(
    arguments: [
      "list", "list milk -- --due", "list --due today", "list --place=Rossi", "list --tag a --any-tag b --no-tag c",
      "list --sort=due", "list --reverse --plain", "list --waiting", "list --watch", "list --search a", "list --all b",
      "list --priority low", "list --at Rossi", "list --no-text milk", "check --due today", "check 1 --or", "add Milk",
      "add Milk --due fri --repeat weekly --wait thu --note a --tag b --priority low", "add Milk --place a --address b",
      "add Milk --at 1,2", "add Milk --near a --first", "list --at 1,2",
    ])
  func rareOptions_areReadAsTheParserReadsThem(_ text: String) throws { try expectSameCommand(text) }

  private func expectSameCommand(_ text: String) throws {
    let arguments = UserText.marking(text.split(separator: " ").map(String.init))
    let command = try #require(
      ToDo.configuration.subcommands.first {
        ([$0.configuration.commandName ?? ""] + $0.configuration.aliases).contains(arguments[0])
      })
    let parsed = (try? command.parse(Array(arguments.dropFirst()))).map { String(describing: $0) }
    #expect(ToDo.parseSubcommand(arguments).map { String(describing: $0) } == parsed)
  }

  @Test(arguments: ["list --all --done", "map --all --done"])
  func error_whenFlagsExcludeEachOther_namesBoth(_ line: String) async {
    let run = await TestBench().run(line)
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: '--done' and '--all' cannot be combined\nUsage: "), "\(run.error)")
    #expect(await TestBench().run(line + " --json").error.contains("\"'--done' and '--all' cannot be combined\""))
  }

  @Test func error_whenDiskIsFull_namesTheFile() async {
    let space = "There is no space on the disk for \(Self.personalPath). Free some space"
    let remedy = "\(space), or delete items with '--permanently'."
    let bench = TestBench(service: FailingService(error: .storeFull))
    #expect(await bench.run("add Milk").error == "Error: the store is full\n  \(remedy)\n")
    #expect(await bench.run("--server tcp://a:1 add Milk").error == "Error: the store is full\n")
    #expect(await bench.run("delete --all --yes").error == "Error: the store is full\n  \(space).\n")
  }

  @Test func globalOptions_beforeOrAfterCommand_areAccepted() async {
    let bench = TestBench()
    #expect(await bench.run("--server tcp://a:1 -q add Milk").output.hasPrefix("0198c0de-0001-"))
    #expect(await bench.run("add Rent -q --server tcp://b:2").output.hasPrefix("0198c0de-0002-"))
    #expect(bench.selections == [.server(endpoint: "tcp://a:1"), .server(endpoint: "tcp://b:2")])
  }

  @Test(
    arguments: [
      (nil, [:], ServiceSelection.embedded(path: personalPath, geocoder: gazetteer)),
      (nil, ["XDG_DATA_HOME": "/data"], .embedded(path: "/data/todo/items.sqlite", geocoder: gazetteer)),
      (nil, ["XDG_DATA_HOME": "data"], .embedded(path: personalPath, geocoder: gazetteer)),
      (nil, ["TODO_SERVER": "unix:///s"], .server(endpoint: "unix:///s")),
      ("--server tcp://h:1", ["TODO_SERVER": "unix:///s"], .server(endpoint: "tcp://h:1")),
      (nil, ["TODO_GEOCODER": "none"], .embedded(path: personalPath, geocoder: GeocoderSelection([]))),
      ("--geocoder gazetteer", ["TODO_GEOCODER": "none"], .embedded(path: personalPath, geocoder: gazetteer)),
    ] as [(String?, [String: String], ServiceSelection)])
  func service_fromOptionEnvironmentOrDataDirectory_isSelectedInThatOrder(
    option: String?, environment: [String: String], selection: ServiceSelection
  ) async {
    let bench = TestBench()
    bench.change { $0.environment.merge(environment) { $1 } }
    await bench.run("list \(option ?? "")")
    #expect(bench.selections == [selection])
  }

  private static let personalPath = "/home/ann/.local/share/todo/items.sqlite"
  private static let gazetteer = GeocoderSelection([.gazetteer])

  @Test func geocoder_whenUnknown_isRejected() async {
    let bench = TestBench()
    let run = await bench.run("list --geocoder oracle")
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: unknown geocoder 'oracle'; valid values are gazetteer, nominatim:URL"))
    #expect(await bench.run("list --geocoder none --server tcp://a:1").status == .usage)
  }

  #if !Nominatim
  @Test func geocoder_whenBuiltWithoutNominatim_isRejected() async {
    let run = await TestBench().run("list --geocoder nominatim:https://example.org")
    #expect(run.status == .usage)
    #expect(
      run.error.contains("'nominatim:https://example.org' cannot be used: this program was built without Nominatim"))
  }
  #endif

  #if !TLS
  @Test func server_whenBuiltWithoutTLS_isRejected() async {
    let run = await TestBench().run("login --server tls://example.org")
    #expect(run.status == .usage)
    #expect(run.error.contains("tls://example.org:8637: this program was built without TLS; build it with the trait"))
  }
  #endif

  @Test func service_whenDataDirectoryIsUnknown_isUsageError() async {
    let bench = TestBench(.init(environment: [:]))
    let run = await bench.run("list")
    #expect(run.status == .usage)
    #expect(run.error.contains("set HOME or XDG_DATA_HOME"))
  }

  @Test func connection_whenCommandEnds_isClosedOnce() async {
    let bench = TestBench()
    await bench.run("list")
    await bench.run("show 0198")
    #expect(bench.closedConnections == 2)
  }

  @Test(arguments: [
    ("chek 0198", "'chek'; did you mean 'check'? Run"), ("help lits", "'lits'; did you mean 'list'? Run"),
    ("frobnicate", "'frobnicate'; to add an item, run 'todo add frobnicate'. Run"),
    ("Buy milk", "'Buy'; to add an item, run 'todo add Buy milk'. Run"),
    ("new Milk", "'new'; did you mean 'add'? Run"), ("remove 1", "'remove'; did you mean 'delete'? Run"),
    ("del 1", "'del'; did you mean 'delete'? Run"), ("complete 1", "'complete'; did you mean 'check'? Run"),
    ("due", "'due'; did you mean 'list --due'? Run"), ("Lst", "'Lst'; did you mean 'list'? Run"),
    ("help frobnicate", "'frobnicate'; run"),
  ])
  func command_whenUnknown_isRejected_withTheNearest(_ line: String, _ message: String) async {
    let run = await TestBench().run(line)
    #expect(run.status == .usage)
    #expect(run.output == "")
    #expect(
      run.error.hasPrefix("Error: unknown command \(message) 'todo --help' for the list of commands\nUsage: todo "))
  }

  @Test(arguments: [
    ("-milk", "-- -milk"), ("add Buy -milk now", "Buy -- -milk now"), ("add -milk --yes", "-- -milk --yes"),
  ])
  func title_whenItBeginsWithDash_isRejectedWithRemedy(_ line: String, _ words: String) async {
    let run = await TestBench().run(line)
    #expect(run.status == .usage)
    #expect(
      run.error.hasPrefix(
        "Error: unknown option '-milk'; if it belongs to the title, run 'todo add \(words)'\nUsage: todo "))
    #expect(await TestBench().run("add -- -milk").output == "Added 1: -milk\n")
    #expect(await TestBench().run("-qh").output.hasPrefix("OVERVIEW: "))
  }

  @Test func timeZone_whenUnknown_isReportedOnce() async {
    let bench = TestBench()
    bench.change { ($0.environment["TZ"], $0.hasDatabase) = ("Bogus/Zone", false) }
    let run = await bench.run("add Milk")
    #expect(run.output == "Added 1: Milk\n")
    #expect(run.error == "TZ is 'Bogus/Zone', which is no known time zone; times are in UTC.\n")
    #expect(await bench.run("list --json").error == "")
    bench.change { $0.environment["TZ"] = "UTC" }
    #expect(await bench.run("list").error == "")
  }

  @Test(arguments: [
    ("Bogus/Zone", false), ("Bogus", false), ("/nowhere", false), ("", true), ("UTC", true), ("utc", true),
    ("CET-1CEST,M3.5.0,M10.5.0/3", true), ("<+0545>-5:45", true), ("<+03", false), ("EST5", true), ("A1", false),
    ("Europe/Berlin", true), (":Europe/Berlin", true), ("/zones/Here", true),
  ])
  func timeZone_isKnown_ifFileOrRule(_ text: String, _ isKnown: Bool) {
    let files = ["/usr/share/zoneinfo/Europe/Berlin", "/zones/Here"]
    #expect(TimeZoneSetting(text).isKnown(directory: nil, fileExists: files.contains) == isKnown)
  }

  @Test func timeZone_inOtherDirectory_isKnown() {
    #expect(TimeZoneSetting("Here").isKnown(directory: "/zones") { $0 == "/zones/Here" })
  }

  @Test(arguments: [
    ("de_DE.UTF-8", "Thu 3 Dec"), ("ja_JP.UTF-8", "Fri 12 Mar 2027"), ("en_US", "Fri 12 Mar 2027"), ("C", "Thu 3 Dec"),
  ])
  func dateOrder_followsTheLocale(_ locale: String, _ day: String) async {
    let bench = TestBench()
    bench.change { $0.environment["LANG"] = locale }
    #expect(await bench.run("add Milk --due 3/12").output == "Added 1: Milk · \(day)\n")
    #expect(await bench.run("add Tea 3/12").output == "Added 2: Tea · \(day)\n")
  }

  @Test func help_ofCommand_isPrinted() async {
    #expect(await TestBench().run("help check").output.hasPrefix("OVERVIEW: Mark items as done."))
    #expect(await TestBench().run("help").output.hasPrefix("OVERVIEW: Manage a to-do list"))
  }

  @Test(arguments: [
    ("bash", "complete -o filenames -F _todo todo"), ("zsh", "#compdef todo"), ("fish", "complete -c 'todo'"),
  ])
  func completion_ofShell_isPrinted(_ shell: String, _ line: String) async {
    let run = await TestBench().run("completion \(shell)")
    #expect(run.status == .success)
    #expect(run.output.contains(line))
    #expect(run.output.contains("uncheck"))
    #expect(await TestBench().run("completion tcsh").status == .usage)
  }

  @Test func aliases_areAccepted() async {
    let bench = TestBench()
    await bench.run("add Milk")
    #expect(await bench.run("edit 1 --title Tea").output == "Edited 1: Tea\n")
    #expect(await bench.run("done 1").output == "Checked 1: Tea\n")
    #expect(await bench.run("ls -q").output == "\(TestBench.id(1))\n")
    #expect(await bench.run("rm 1").output == "Deleted 1: Tea\n")
  }

  @Test(arguments: ["list --nope", "add", "list --json -q", "--server", "--color blue"])
  func arguments_whenInvalid_exitWith2(line: String) async {
    let run = await TestBench().run(line)
    #expect(run.status == .usage)
    #expect(run.output == "")
    #expect(run.error.hasPrefix("Error: ") || run.error.hasPrefix("{\"error\""))
  }

  @Test func arguments_whenInvalidAndJSON_reportErrorAsJSON() async {
    let run = await TestBench().run("add --json")
    #expect(
      run.error == """
        {"error": {"code": "INVALID_ARGUMENT", "reason": "USAGE", "message": "Missing expected argument '<title> ...'", \
        "fields": []}}

        """)
    #expect(await TestBench().run("list --bogus -- --json").error.hasPrefix("Error: "))
  }

  @Test func version_printsVersion() async {
    #expect(
      await TestBench().run("--version")
        == .init(status: .success, output: ServiceInfo.currentVersion + "\n", error: ""))
  }

  @Test func output_whenWriteFails_exitsWithFailure() async {
    let bench = TestBench()
    bench.change { $0.outputFailure = Failure(code: .unknown, reason: "OUTPUT_FAILED", message: "no space") }
    #expect(
      await bench.run("list --json")
        == .init(
          status: .failure, output: "",
          error: """
            {"error": {"code": "UNKNOWN", "reason": "OUTPUT_FAILED", "message": "no space", "fields": []}}

            """))
    #expect(await bench.run("--help").status == .failure)
  }

  @Test(arguments: [
    (ToDoError.itemNotFound(TestBench.id(1)), "NOT_FOUND", "ITEM_NOT_FOUND", ToDoSupport.ExitStatus.notFound),
    (.duplicateItem(TestBench.id(1), existing: TestBench.id(2)), "ALREADY_EXISTS", "DUPLICATE_ITEM", .conflict),
    (.itemIDConflict(TestBench.id(1)), "ALREADY_EXISTS", "ITEM_ID_CONFLICT", .conflict),
    (.itemIDDeleted(TestBench.id(1)), "ALREADY_EXISTS", "ITEM_ID_DELETED", .conflict),
    (.revisionMismatch(TestBench.id(1), current: Revision(3)), "ABORTED", "REVISION_MISMATCH", .conflict),
    (.storeFull, "RESOURCE_EXHAUSTED", "STORE_FULL", .failure),
    (.storeUnavailable(detail: ""), "UNAVAILABLE", "STORE_UNAVAILABLE", .unreachable),
    (.invalidItem([]), "INVALID_ARGUMENT", "INVALID_ITEM", .usage),
    (.invalidRequest([]), "INVALID_ARGUMENT", "INVALID_REQUEST", .usage),
    (.invalidPageToken, "INVALID_ARGUMENT", "INVALID_PAGE_TOKEN", .usage),
  ])
  func failure_ofServiceError_hasCodeReasonAndStatus(
    error: ToDoError, code: String, reason: String, status: ToDoSupport.ExitStatus
  ) async {
    let failure = Failure(error)
    #expect(failure.code.name == code)
    #expect(failure.reason == reason)
    #expect(failure.status == status)
  }

  @Test(
    arguments: [
      (.unavailable, .unreachable), (.deadlineExceeded, .unreachable), (.permissionDenied, .notAllowed),
      (.unauthenticated, .notAllowed), (.internal, .failure), (.unimplemented, .failure), (.cancelled, .interrupted),
    ] as [(StatusCode, ToDoSupport.ExitStatus)])
  func failure_ofRPCError_preservesCodeReasonAndFields(code: StatusCode, status: ToDoSupport.ExitStatus) {
    let error = RPCError(
      code, reason: "WHY", "what\u{7} happened", violations: [.init(field: "item.location.name", reason: "is odd")])
    let failure = Failure(error)
    #expect(failure.status == status)
    #expect(failure.text == "Error: what\\u{7} happened\n  --place is odd")
    #expect(
      failure.json.lineText == """
        {"error": {"code": "\(code.name)", "reason": "WHY", "message": "what\\\\u{7} happened", \
        "fields": [{"field": "location.name", "message": "is odd"}]}}
        """)
  }

  @Test func failure_ofRPCErrorWithoutReason_usesCodeName() {
    #expect(Failure(RPCError(.permissionDenied, reason: "", "no")).reason == "PERMISSION_DENIED")
  }

  @Test func failure_ofStoreError_isStoreUnavailable() {
    let failure = Failure(SQLiteStoreError.notADatabase(path: "/a\u{7}"))
    #expect(failure.reason == "STORE_UNAVAILABLE")
    #expect(failure.status == .unreachable)
    #expect(
      failure.text == """
        Error: /a\\u{7} is damaged, or not an SQLite database
          Run 'todo doctor' to check it, or restore a backup with 'todo restore --from FILE'.
        """)
  }

  @Test func failure_ofMissingCredentials_namesLogin() {
    #expect(
      Failure(ToDoError.unauthenticated).text == """
        Error: missing or invalid credentials
          Sign in with 'todo login' and a token from the operator of the server.
        """)
  }

  @Test func failure_ofCancellation_isInterrupted() {
    #expect(Failure(CancellationError()).status == .interrupted)
  }
}
