import Testing
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

/// Replays the table of unexpected frames in Protos/TTRPC.md byte for byte, and checks the documented outcomes.
@Suite(.timeLimited) struct FrameTableTests {
  /// The frames that lead to a row of the table, and the unexpected frame.
  struct Case: Sendable, CustomTestStringConvertible {
    let row: String
    var before: [RawFrame] = []
    let bytes: [UInt8]

    init(_ row: String, after before: RawFrame..., send frames: RawFrame...) {
      self.row = row
      self.before = before
      bytes = frames.flatMap(\.bytes)
    }

    init(_ row: String, bytes: [UInt8]) {
      self.row = row
      self.bytes = bytes
    }

    var testDescription: String { row }
  }

  /// The documented outcome of a row.
  struct Outcome: Equatable {
    var reasons: [String] = []
    var isClosed = false
    var isServed = false
    var isStrike = false

    init() {}

    init(row: [String]) throws {
      let answer = row[2]
      if let reason = answer.firstMatch(of: /^[A-Z_]+/), reason.0.count > 1 {
        reasons = [String(reason.0)]
      } else if answer == "closes the connection" {
        isClosed = true
      } else if answer == "is served" {
        isServed = true
      } else {
        try #require(answer == "ignored")
      }
      isStrike = row[3] == "strike"
    }
  }

  private static let metadata = ProtobufBytes().field(1, "k").field(2, [0xFF])
  private static let pair = ProtobufBytes().field(1, "k").field(2, "v")
  private static let limit = 100_000

  static let cases = [
    Case("any whose first byte is not 0 / ", bytes: [0x01]),
    Case("any whose first byte is not 0 / ", bytes: [0x16, 0x03, 0x01, 0x02, 0x00, 0x01]),
    Case("request / whose number is even", send: .request(0, "Say")),
    Case("request / whose number is even", send: .request(2, "Say")),
    Case("request / used before, and not in flight", after: .request(1, "Say"), send: .request(1, "Say")),
    Case(
      "request / used before, and not in flight", after: .request(1, "HoldStubbornly"), .cancel(3, stream: 1),
      send: .request(1, "Say")),
    Case("request / more than 1,024 below the highest used", after: .request(1029, "Say"), send: .request(3, "Say")),
    Case(
      "request / at most 1,024 below the highest used, and not used itself", after: .request(1027, "Say"),
      send: .request(3, "Say")),
    Case("request / in flight", after: .request(1, "Hold"), send: .request(1, "Say")),
    Case("request / with flags other than 0, `0x01` or `0x02`", send: .request(1, "Say", flags: 3)),
    Case("request / with flags other than 0, `0x01` or `0x02`", send: .request(1, "Say", flags: 4)),
    Case("request, `remote open` / of a unary method", send: .request(1, "Say", flags: 2)),
    Case("request, flags 0 / of a method that streams", send: .request(1, "Count")),
    Case(
      "request / that is not a valid `ttrpc.Request`, or whose payload is not the method's message",
      send: RawFrame(1, id: 1, [0xFF])),
    Case(
      "request / that is not a valid `ttrpc.Request`, or whose payload is not the method's message",
      send: .call(1, TestMethods.service, "Say", ProtobufBytes([0x0A, 0x7F]))),
    Case(
      "request / with metadata that is not UTF-8",
      send: RawFrame(1, id: 1, ProtobufBytes(RawFrame.request(1, "Say").data).field(5, metadata).bytes)),
    Case(
      "request / with more metadata than allowed",
      send: RawFrame(
        1, id: 1,
        (0..<65).reduce(RawFrame.request(1, "Say").data) { bytes, _ in
          ProtobufBytes(bytes).field(5, pair).bytes
        })),
    Case("request or data / longer than allowed", send: RawFrame(1, id: 1, Array(repeating: 0, count: limit + 1))),
    Case(
      "request or data / longer than allowed", after: .request(1, "Collect", flags: 2),
      send: RawFrame(3, id: 1, Array(repeating: 0, count: limit + 1))),
    Case("request / of an unknown method or service", send: .request(1, "Sing")),
    Case("request / with a negative `timeout_nano`", send: .request(1, "Say", timeout: -1)),
    Case("data / whose number is even", send: .data(0, ""), .data(0, "")),
    Case("data / whose number is even", send: .data(2, ""), .data(2, "")),
    Case("data / that was never opened", send: .data(1, ""), .data(1, "")),
    Case(
      "data / with a response, and closed by its client", after: .request(1, "Say"), send: .data(1, ""), .data(1, "")
    ),
    Case(
      "data / with a response, and closed by its client", after: .request(1, "Count", "0", flags: 1),
      send: .data(1, ""), .data(1, "")),
    Case(
      "data / with a response, and not closed by its client", after: .request(1, "Count", "0", flags: 2),
      send: .data(1, ""), .data(1, "", flags: 1)),
    Case(
      "data / with a response, and not closed by its client", after: .request(1, "CollectStubbornly", flags: 2),
      .cancel(3, stream: 1), send: .data(1, ""), .data(1, "", flags: 1)),
    Case(
      "data / in flight, and closed by its client", after: .request(1, "Collect", flags: 1),
      send: .data(1, ""), .data(1, "")),
    Case("data / in flight, opened with flags 0", after: .request(1, "Hold"), send: .data(1, "")),
    Case("response / any", send: RawFrame(2, id: 1)),
    Case("response / any", after: .request(1, "Hold"), send: RawFrame(2, id: 1)),
    Case("another type / any", send: RawFrame(0, id: 1, flags: 0xFF, [1, 2, 3])),
    Case("another type / any", send: RawFrame(4, id: 0, flags: 0xFF, [1, 2, 3])),
  ]

  @Test func rows_allHaveTestCases() throws {
    let rows = try ProtocolTable.rows(under: "## Unexpected frames").map { "\($0[0]) / \($0[1])" }
    #expect(!rows.isEmpty)
    #expect(Set(rows) == Set(Self.cases.map(\.row)))
  }

  @Test(arguments: cases)
  func frame_whenUnexpected_isHandledAsDocumented(_ row: Case) async throws {
    let rows = try ProtocolTable.rows(under: "## Unexpected frames")
    let expected = try Outcome(row: try #require(rows.first { "\($0[0]) / \($0[1])" == row.row }))
    #expect(try await outcome(of: row) == expected)
  }

  private func outcome(of row: Case) async throws -> Outcome {
    let methods = TestMethods()
    let table = methods.tableOnEventLoop
    var configuration = ServerLimits()
    configuration.maximumFrameLength = Self.limit
    var outcome = Outcome()
    try await ServerChannel.with(table, configuration) { server async throws in
      for frame in row.before { try await server.write(frame) }
      _ = try await server.frames()
      try await server.write(row.bytes)
      let frames = try await server.frames()
      outcome.reasons = try frames.compactMap { try $0.error?.reason }
      outcome.isServed = try frames.contains { try $0.error == nil }
      outcome.isClosed = !server.isOpen
      guard server.isOpen else { return }
      try await server.write(.request(9001, "Say", "still here"))
      #expect(try await server.frames().map { try $0.text } == ["still here"])
    }
    // With a limit of one strike, the same frame closes the connection after its response.
    configuration.maximumStrikes = 1
    try await ServerChannel.with(table, configuration) { server async throws in
      for frame in row.before { try await server.write(frame) }
      _ = try await server.frames()
      try await server.write(row.bytes)
      #expect(try await server.frames().compactMap { try $0.error?.reason } == outcome.reasons)
      outcome.isStrike = !server.isOpen && !outcome.isClosed
    }
    methods.gate.open()
    return outcome
  }

  @Test func strikes_whenAtLimit_closeConnection_afterAllResponses() async throws {
    try await ServerChannel.with(TestMethods().table) { server async throws in
      try await server.write((0..<99).flatMap { _ in RawFrame.request(2, "Say").bytes })
      #expect(try await server.frames().count == 99)
      #expect(server.isOpen)
      try await server.write(.request(1, "Say", "last"), .request(2, "Say"), .request(3, "Say", "unread"))
      let frames = try await server.frames()
      #expect(frames.map(\.id) == [1, 2])
      #expect(!server.isOpen)
    }
  }
}
