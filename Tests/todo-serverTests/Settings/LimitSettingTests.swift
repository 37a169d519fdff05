import Configuration
import Testing
import ToDoRPC
import ToDoTestSupport

@testable import todo_server

/// Tests of limits from options and the environment.
@Suite(.timeLimited) struct LimitSettingTests {
  private func settings(_ limits: String...) async throws -> ServerSettings {
    try await ServerSettings(.init(limit: limits))
  }

  @Test func limit_whenSet_changesNoOther() async throws {
    let settings = try await settings("connections=5", "frame-size=64KiB", "idle-time=500ms", "shutdown-time=2m")
    #expect(settings.limits.maximumConnections == 5)
    #expect(settings.limits.maximumFrameLength == 65_536)
    #expect(settings.limits.idleTime == .milliseconds(500))
    #expect(settings.shutdownTime == .seconds(120))
    #expect(settings.limits.maximumConnectionsPerAddress == ServerLimits().maximumConnectionsPerAddress)
    #expect(try await self.settings().limits.maximumFrameLength == ServerLimits().maximumFrameLength)
  }

  @Test(arguments: LimitSetting.all)
  func limit_withinRange_isAccepted(_ limit: LimitSetting) async throws {
    var settings = try await settings()
    for text in limit.endsOfRange { try limit.set(text, in: &settings) }
    for text in limit.beyondRange + ["", "-1", "many", "1 ", "1.5s", "99999999999999999999"] {
      let error = #expect(throws: SettingError.self) { try limit.set(text, in: &settings) }
      #expect(error?.name == "limit \(limit.name)")
    }
  }

  @Test func limit_whenSet_changesItsOwnSetting() async throws {
    var settings = try await settings()
    let values = { (settings: ServerSettings) in LimitSetting.all.map { $0.text(in: settings) } }
    for (index, limit) in LimitSetting.all.enumerated() {
      let before = values(settings)
      try limit.set(limit.endsOfRange[0], in: &settings)
      let changed = zip(before, values(settings)).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
      #expect(changed == [index])
    }
  }

  @Test func limit_whenNameIsUnknown_listsValidNames() async {
    let error = await #expect(throws: SettingError.self) { try await settings("conections=5") }
    #expect(
      error?.description.hasPrefix("limit: 'conections' is not a valid limit; valid limits are frame-size, ") == true)
    for limit in LimitSetting.all { #expect(error?.reason.contains(limit.name) == true) }
  }

  @Test(arguments: [
    ("connections", "limit: 'connections' is not of the form NAME=VALUE"),
    ("connections=0", "limit connections: '0' is not a number from 1 to 1000000000"),
    ("frame-size=5MiB", "limit frame-size: '5MiB' is not a size, such as 65536, 64KiB or 4MiB, from 4KiB to 4MiB"),
    ("idle-time=soon", "limit idle-time: 'soon' is not a time, such as 500ms, 30s, 5m or 1h, from 100ms to 365d"),
    (
      "output-limit=1MiB",
      "limit output-limit: '1MiB' is less than output-pause (128KiB) or one response (4MiB); raise it"
    ),
    (
      "output-pause=9MiB",
      "limit output-limit: '8MiB' is less than output-pause (9MiB) or one response (4MiB); raise it"
    ),
    (
      "maximum-deadline=10s",
      "limit default-deadline: '30s' is more than maximum-deadline (10s); raise maximum-deadline too"
    ),
  ])
  func limit_whenValueIsInvalid_describesValidValues(_ text: String, _ message: String) async {
    let error = await #expect(throws: SettingError.self) { try await settings(text) }
    #expect(error?.description == message)
  }

  @Test func limits_whenInterdependent_areAppliedTogether() async throws {
    let settings = try await settings("default-deadline=10m", "maximum-deadline=1h", "strikes=3", "strikes=4")
    #expect(settings.limits.defaultDeadline == .seconds(600))
    #expect(settings.limits.maximumStrikes == 4)
  }

  @Test func limit_whenOptionAndEnvironmentDiffer_usesOption() async throws {
    let environment = EnvironmentVariablesProvider(
      environmentVariables: ["TODO_SERVER_LIMITS": "connections=7,strikes=8"], arraySeparator: ",")
    let settings = try await ServerSettings(.init(limit: ["connections=9"]), environment: environment)
    #expect(settings.limits.maximumConnections == 9)
    #expect(settings.limits.maximumStrikes == 8)
  }
}

extension LimitSetting: CustomTestStringConvertible {
  public var testDescription: String { name }

  /// Returns the current value.
  func text(in settings: ServerSettings) -> String {
    switch quantity {
    case .count(let path, _): "\(settings[keyPath: path])"
    case .bytes(let path, _): settings[keyPath: path].byteText
    case .time(let path, _): settings[keyPath: path].shortText
    }
  }

  fileprivate var endsOfRange: [String] {
    switch quantity {
    case .count(_, let range): ["\(range.lowerBound)", "\(range.upperBound)"]
    case .bytes(_, let range): [range.lowerBound.byteText, range.upperBound.byteText]
    case .time(_, let range): [range.lowerBound.shortText, range.upperBound.shortText]
    }
  }

  fileprivate var beyondRange: [String] {
    switch quantity {
    case .count(_, let range), .bytes(_, let range): ["\(range.lowerBound - 1)", "\(range.upperBound + 1)"]
    case .time(_, let range): [(range.lowerBound - .milliseconds(1)).shortText, "366d"]
    }
  }
}
