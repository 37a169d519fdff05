import ArgumentParser
import Testing
import ToDoClient
import ToDoSupport
import ToDoTestSupport
import ToDoTransport

@testable import todo_load

@Suite struct LoadSettingsTests {
  @Test func settings_whenOnlyServerIsGiven_areDefaults() throws {
    let settings = try settings("--server unix:///s")
    #expect(settings.plan.endpoint == .unix(path: "/s"))
    #expect(settings.plan.pace == .closed(.duration(10 * .second)))
    #expect(settings.plan.connections == 16)
    #expect(settings.plan.inFlight == 16)
    #expect("\(settings.plan.mix)" == "get=80,list=5,add=10,check=5")
    #expect(settings.plan.timeout == 10 * .second)
    #expect(!settings.plan.sendsTimeout)
    #expect(settings.output == ReportOutput(printed: .text))
    #expect(settings.client.token == nil)
  }

  @Test func arguments_setPlan() throws {
    let settings = try settings(
      "--server tcp://h --connections 3 --in-flight 4 --total 50 --mix add=1 --items 0 --watchers 2 --warm-up 0s "
        + "--timeout 50ms --fail-if p99>5ms --fail-if errors>0 --keep --server-pid 7")
    let plan = settings.plan
    #expect(plan.endpoint == .tcp(host: "h", port: 8636))
    #expect((plan.connections, plan.inFlight, plan.items, plan.watchers) == (3, 4, 0, 2))
    #expect(plan.pace == .closed(.total(50)))
    #expect((plan.warmUp, plan.timeout, plan.sendsTimeout) == (0, 50 * .millisecond, true))
    #expect(settings.conditions.map(\.text) == ["p99>5ms", "errors>0"])
    #expect(settings.keepsItems)
    #expect(settings.serverProcess == 7)
  }

  @Test(arguments: [
    ("--rate 100", Schedule(.constant(100), duration: 10 * .second)),
    ("--rate 100 --schedule const --duration 2s", Schedule(.constant(100), duration: 2 * .second)),
    ("--rate 100 --total 7", Schedule(.constant(100), count: 7)),
    ("--schedule line:1..9 --duration 1m", Schedule(.line(from: 1, to: 9), duration: 60 * .second)),
  ])
  func rate_selectsOpenLoop(arguments: String, schedule: Schedule) throws {
    #expect(try settings("--server unix:///s " + arguments).plan.pace == .open(schedule))
  }

  #if TLS
  @Test func environment_whenArgumentsAreMissing_isUsed() throws {
    let settings = try settings(
      "--ca mine.pem", ["TODO_SERVER": "tls://h", "TODO_CA": "theirs.pem", "TODO_CERTIFICATE": "c", "TODO_KEY": "k"])
    #expect(settings.plan.endpoint == .tls(host: "h", port: 8637))
    #expect(settings.client.tls == ClientTLS(authorities: "mine.pem", identity: .init(certificate: "c", key: "k")))
  }
  #else
  @Test func endpoint_whenBuiltWithoutTLS_isRejected() {
    let error = #expect(throws: UsageError.self) { try settings("--server tls://h:1") }
    #expect(error?.description.hasPrefix("'tls://h:1' cannot be used: this program was built without TLS") == true)
  }
  #endif

  @Test(arguments: [
    ("", ReportOutput(printed: .text)),
    ("--json", ReportOutput(printed: .json)),
    ("--csv", ReportOutput(printed: .csv)),
    ("-o r.csv", ReportOutput(printed: .text, file: .init(path: "r.csv", format: .csv))),
    ("-o r.json", ReportOutput(printed: .text, file: .init(path: "r.json", format: .json))),
    ("--output r", ReportOutput(printed: .text, file: .init(path: "r", format: .text))),
    ("--json -o r", ReportOutput(printed: .text, file: .init(path: "r", format: .json))),
  ])
  func output_selectsFormats(arguments: String, output: ReportOutput) throws {
    #expect(try settings("--server unix:///s " + arguments).output == output)
  }

  @Test(arguments: [
    ("--server foo", "'foo' is not a valid endpoint; write tls://host:port, tcp://host:port or unix:///path"),
    ("--duration 1s --total 5", "'--duration' and '--total' both specify the end; omit one"),
    (
      "--duration 10",
      "'--duration 10' is not a valid duration; write a number and its unit, as in 250us, 1.5ms, 10s or 2m"
    ),
    ("--duration 1ms", "'--duration 1ms' is too short; it must be at least 10.0 ms"),
    ("--connections 0", "'--connections 0' is out of range; it must be 1 to 10,000"),
    ("--items 0", "only list and add need no items; omit '--items 0', or use '--mix list=1,add=1'"),
    ("--items 0 --mix recur=1", "only list and add need no items; omit '--items 0', or use '--mix list=1,add=1'"),
    (
      "--items 7 --mix move=1 --connections 2 --in-flight 4",
      "move needs an item for each request in flight; use '--items 8' or more"
    ),
    (
      "--watchers 1 --mix get=1",
      "'--watchers' needs writes, but '--mix get=1' has none; include add, check or recur"
    ),
    ("--rate 0", "'--rate 0' is not a valid rate; it must be 0.1 to 10,000,000 requests per second"),
    (
      "--rate 0.1 --duration 1s",
      "no request is due within the duration, at 0.10 per second; increase the rate or the duration"
    ),
    ("--schedule const", "'--schedule const' requires '--rate'"),
    ("--json --csv", "'--json' and '--csv' cannot be combined; omit one"),
    ("--server-pid 0", "'--server-pid 0' is not a valid process ID; it must be at least 1"),
    ("--key k", "'--certificate' and '--key' must be used together"),
  ])
  func arguments_whenInvalid_reportReason(arguments: String, reason: String) {
    let server = arguments.hasPrefix("--server ") ? "" : "--server unix:///s "
    #expect(throws: UsageError(reason)) { try settings(server + arguments) }
  }

  @Test func server_whenMissing_suggestsCommand() {
    let error = #expect(throws: UsageError.self) { try settings("") }
    #expect(error?.description.contains("todo-server --listen") == true)
  }

  @Test func tokenFile_providesToken() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("token")
    try Output.write("secret\n", toFile: path)
    try directory.setPermissions(of: path, to: 0o600)
    #expect(try settings("--server unix:///s --token-file \(path)").client.token == "secret")
    #expect(try settings("--server unix:///s", ["TODO_TOKEN_FILE": path]).client.token == "secret")
  }

  @Test(
    arguments: [
      (
        "secret", 0o640,
        PrivateFileError("FILE", "other users can access it; restrict it with 'chmod 600'", isReadableByOthers: true)
      ),
      (" \n", 0o600, PrivateFileError("FILE", "contains no token; it must contain one token")),
      ("one two", 0o600, PrivateFileError("FILE", "contains more than one word; it must contain one token")),
    ] as [(String, Int, PrivateFileError)])
  func tokenFile_whenUnusable_reportsReason(text: String, mode: Int, error: PrivateFileError) throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("FILE")
    try Output.write(text, toFile: path)
    try directory.setPermissions(of: path, to: mode)
    let thrown = #expect(throws: PrivateFileError.self) { try LoadSettings.token(inFile: path) }
    #expect(thrown?.description == "\(directory.path)/\(error)")
    #expect(thrown?.isReadableByOthers == error.isReadableByOthers)
  }

  private func settings(_ arguments: String, _ environment: [String: String] = [:]) throws -> LoadSettings {
    let options = try LoadOptions.parse(arguments.split(separator: " ").map(String.init))
    return try LoadSettings(options) { environment[$0] }
  }
}
