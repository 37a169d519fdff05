import Testing
import ToDoModel
import ToDoProtobuf
import ToDoRPC
import ToDoServer
import ToDoTestSupport

@testable import todo_server

/// The limits that Protos/TTRPC.md and Protos/API.md state, against the defaults of the code.
@Suite(.timeLimited) struct LimitDocumentTests {
  private static let limits = ServerLimits()

  @Test(
    arguments: [
      ("data of a request or data frame", [limits.maximumFrameLength]),
      (
        "data of such a frame before the first call with valid credentials, on a server that requires them",
        [limits.maximumFrameLengthBeforeAuthentication]
      ),
      ("data of a response", [limits.maximumResponseLength]),
      ("memory of a decoded request", [16, 262_144, Arena.defaultLimit]),
      ("pairs of metadata", [limits.maximumMetadataPairs]),
      ("bytes of keys and values of metadata", [limits.maximumMetadataSize]),
      ("nesting of messages", [WireFormatValidator.maximumDepth]),
      (
        "elements of all lists of a request",
        [ServerMethod.defaultMaximumElements, ServerMethod.maximumBatchElements, UserList.Limits.movedItems + 1]
      ),
    ] as [(String, [Int])])
  func frameLimit_matchesCode(what: String, numbers: [Int]) throws {
    #expect(try documented(what, under: "### Of frames and messages") == numbers)
  }

  @Test(
    arguments: [
      ("calls in flight on a connection", [limits.maximumStreams]),
      ("calls of methods that stream, among these", [limits.maximumStreamingCalls]),
      ("messages of a client that the method has not read, on each stream", [32, 262_144]),
      ("data of unary requests whose calls are in flight", [limits.inputPause]),
      ("responses that the client does not read", [limits.outputPause]),
      ("maximum of responses that the client does not read", [limits.outputLimit]),
      ("[unexpected frames](#unexpected-frames)", [limits.maximumStrikes]),
      ("connections", [limits.maximumConnections, 64]),
      (
        "connections from one network address (IPv6: the first 64 bits)", [limits.maximumConnectionsPerAddress]
      ),
      (
        "connections of one Unix user, over Unix sockets; root and the server's own user are exempt",
        [limits.maximumConnectionsPerUnixUser]
      ),
      ("bytes buffered for all connections", [limits.maximumBufferedBytes]),
      (
        "part of these that only connections with at most 65,536 bytes may use",
        [limits.maximumBufferedBytes / ServerLimits.bufferReserveShare]
      ),
      ("bytes buffered for the connections of one user", [limits.maximumBufferedBytesPerUser]),
      (
        "bytes buffered for the connections of one network address or Unix user",
        [limits.maximumBufferedBytesPerAddress]
      ),
    ] as [(String, [Int])])
  func connectionLimit_matchesCode(what: String, numbers: [Int]) throws {
    #expect(try documented(what, under: "### Of a connection") == numbers)
  }

  @Test(
    arguments: [
      (
        "from connecting to the first call with valid credentials, on a server that requires them",
        "\(limits.loginTime)", nil
      ),
      ("from connecting to the end of the first frame", "\(limits.firstFrameTime)", limits.frameRate),
      ("from the beginning of a frame to its end", "\(limits.frameTime)", limits.frameRate),
      ("a client that reads nothing that is written to it", "\(limits.writeStallTime)", nil),
      ("silence without a call in flight", "\(limits.idleTime)", nil),
      ("a unary call without a `timeout_nano`", "\(limits.defaultDeadline)", nil),
      ("a unary call", "\(limits.maximumDeadline)", nil),
      ("reading the last responses before the server closes a connection", "\(limits.closingTime)", nil),
    ] as [(String, String, Int?)])
  func timeLimit_matchesCode(what: String, time: String, rate: Int?) throws {
    let row = try row(what, under: "### Of time")
    let parts = row[1].split(separator: ",", maxSplits: 1).map(String.init)
    let seconds = try #require(Int(parts[0].prefix { $0.isNumber }))
    let unit = try #require(["s": 1, "min": 60, "h": 3600][parts[0].drop { $0.isNumber || $0 == " " }])
    #expect("\(Duration.seconds(seconds * unit))" == time)
    #expect(parts.count == 1 ? rate == nil : Self.numbers(parts[1]) == [1, rate])
  }

  @Test func timeLimits_areAllChecked() throws {
    // The service defines the shutdown time, and its tests check it.
    #expect(try ProtocolTable.rows(under: "### Of time").count == 9)
  }

  @Test func itemLimit_matchesCode() async throws {
    #expect(
      try documented("items; `todo-server serve --max-items` sets it", under: "### Of a list")
        == [try await ServerSettings(.init()).maximumItems])
  }

  // MARK: Names

  @Test(arguments: LimitSetting.all)
  func configurableLimit_hasDocumentedDefault(_ limit: LimitSetting) async throws {
    let rows = try Self.rows.filter { Self.names($0).contains(limit.name) }
    let text = limit.text(in: try await ServerSettings(.init()))
    #expect(!rows.isEmpty)
    for row in rows {
      // The rate after a time has its own name.
      let numbers = Self.numbers(row[1])
      switch limit.quantity {
      case .count, .bytes:
        #expect(numbers.map { $0.byteText }.contains(text) || numbers.map(String.init).contains(text))
      case .time: #expect(row[1].hasPrefix(Self.documentedTime(text)))
      }
    }
  }

  @Test func documentedNames_areAllLimits() throws {
    #expect(Set(try Self.rows.flatMap(Self.names)) == Set(LimitSetting.all.map(\.name)))
  }

  private static var rows: [[String]] {
    get throws {
      try ["### Of frames and messages", "### Of a connection", "### Of time", "### Of a list"]
        .flatMap(ProtocolTable.rows)
    }
  }

  private static func names(_ row: [String]) -> [String] {
    row[3].split(separator: ",").map { $0.filter { $0 != "`" && $0 != " " } }
  }

  /// `30s` as `30 s`, and `5m` as `5 min`.
  private static func documentedTime(_ text: String) -> String {
    let unit = text.drop { $0.isNumber }
    return "\(text.prefix { $0.isNumber }) \(unit == "m" ? "min" : unit)"
  }

  // MARK: Reading

  private func documented(_ what: String, under heading: String) throws -> [Int] {
    Self.numbers(try row(what, under: heading)[1])
  }

  private func row(_ what: String, under heading: String) throws -> [String] {
    try #require(try ProtocolTable.rows(under: heading).first { $0[0] == what })
  }

  private static func numbers(_ text: String) -> [Int] {
    text.filter { $0 != "," }.split { !$0.isNumber }.compactMap { Int($0) }
  }
}
