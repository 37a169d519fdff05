import ArgumentParser
import PrivateFiles
import TTRPCTransport
import TestSupport
import Testing
import ToDoClient

@testable import todo_load

@Suite struct LoadSettingsTests {
  @Test func arguments_whenThereIsOnlyAServer_areTheDefaults() throws {
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

  @Test func arguments_sayHowToLoad() throws {
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
  func rate_opensTheLoop(arguments: String, schedule: Schedule) throws {
    #expect(try settings("--server unix:///s " + arguments).plan.pace == .open(schedule))
  }

  @Test func environment_saysWhatArgumentsDoNot() throws {
    let settings = try settings(
      "--ca mine.pem", ["TODO_SERVER": "tls://h", "TODO_CA": "theirs.pem", "TODO_CERTIFICATE": "c", "TODO_KEY": "k"])
    #expect(settings.plan.endpoint == .tls(host: "h", port: 8637))
    #expect(settings.client.tls == ClientTLS(authorities: "mine.pem", identity: .init(certificate: "c", key: "k")))
  }

  @Test(arguments: [
    ("", ReportOutput(printed: .text)),
    ("--json", ReportOutput(printed: .json)),
    ("--csv", ReportOutput(printed: .csv)),
    ("-o r.csv", ReportOutput(printed: .text, file: .init(path: "r.csv", format: .csv))),
    ("-o r.json", ReportOutput(printed: .text, file: .init(path: "r.json", format: .json))),
    ("--output r", ReportOutput(printed: .text, file: .init(path: "r", format: .text))),
    ("--json -o r", ReportOutput(printed: .text, file: .init(path: "r", format: .json))),
  ])
  func output_isPrintedAndWritten(arguments: String, output: ReportOutput) throws {
    #expect(try settings("--server unix:///s " + arguments).output == output)
  }

  @Test(arguments: [
    ("--server foo", "'foo' is not an endpoint: write tls://host:port, tcp://host:port or unix:///path"),
    ("--duration 1s --total 5", "'--duration' and '--total' both say when to end: leave out one"),
    (
      "--duration 10",
      "'--duration 10' is not a time: write a number and its unit, as in 250us, 1.5ms, 10s or 2m"
    ),
    ("--duration 1ms", "'--duration 1ms' is too short: it must be at least 10.0 ms"),
    ("--connections 0", "'--connections 0' is not possible: it must be 1 to 10,000"),
    ("--items 0", "get and check need items: leave out '--items 0', or use '--mix list=1,add=1'"),
    (
      "--watchers 1 --mix get=1",
      "'--watchers' sees nothing, as '--mix get=1' changes nothing: put add or check in"
    ),
    ("--rate 0", "'--rate 0' is no number of requests a second, 0.1 to 10,000,000"),
    ("--rate 0.1 --duration 1s", "no request is due in that time, at 0.10 a second"),
    ("--schedule const", "'--schedule const' needs '--rate'"),
    ("--json --csv", "'--json' and '--csv' cannot be combined"),
    ("--server-pid 0", "'--server-pid 0' is no process"),
    ("--key k", "a certificate and its key go together: name both, '--certificate' and '--key'"),
  ])
  func arguments_whenTheyAreWrong_sayWhy(arguments: String, reason: String) {
    let server = arguments.hasPrefix("--server ") ? "" : "--server unix:///s "
    #expect(throws: UsageError(reason)) { try settings(server + arguments) }
  }

  @Test func server_whenThereIsNone_saysHowToStartOne() {
    let error = #expect(throws: UsageError.self) { try settings("") }
    #expect(error?.description.contains("todo-server --listen") == true)
  }

  @Test func tokenFile_isRead() throws {
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
        PrivateFileError("FILE", "can be read by others than its owner: chmod 600 it", isReadableByOthers: true)
      ),
      (" \n", 0o600, PrivateFileError("FILE", "holds no token")),
      ("one two", 0o600, PrivateFileError("FILE", "holds more than a token")),
      (nil, 0o600, PrivateFileError("FILE", "there is no such file")),
    ] as [(String?, Int, PrivateFileError)])
  func tokenFile_whenItCannotBeUsed_saysWhy(text: String?, mode: Int, error: PrivateFileError) throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("FILE")
    if let text {
      try Output.write(text, toFile: path)
      try directory.setPermissions(of: path, to: mode)
    }
    let thrown = #expect(throws: PrivateFileError.self) { try TokenFile.read(path) }
    #expect(thrown?.description == "\(directory.path)/\(error)")
    #expect(thrown?.isReadableByOthers == error.isReadableByOthers)
  }

  private func settings(_ arguments: String, _ environment: [String: String] = [:]) throws -> LoadSettings {
    let options = try LoadOptions.parse(arguments.split(separator: " ").map(String.init))
    return try LoadSettings(options) { environment[$0] }
  }
}
