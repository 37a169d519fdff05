import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

/// The messages of quick adds.
@Suite struct ParseQuickAddTests {
  private static let milk = ItemContent(
    title: "Milk", due: .time(Timestamp(microseconds: 1_777_636_800_000_000)), location: Location(name: "Rossi"),
    tags: ["errands"], priority: .high)

  @Test func request_roundTrip_preservesValue() throws {
    let request = ToDoMethods.parseQuickAdd.request
    let sentence = QuickAddSentence(
      "Milk @Rossi", timeZone: "Europe/Berlin", languages: ["de-CH", "en"], lists: ["work", "home"])
    #expect(try request.roundTrip(sentence) == sentence)
    #expect(try request.roundTrip(QuickAddSentence("Milk")) == QuickAddSentence("Milk"))
  }

  @Test func request_withTooManyElements_isRejected_beforeTheyAreDecoded() {
    expectInvalidRequest(["languages"]) {
      try ToDoMethods.parseQuickAdd.request.decode(
        (0...16).reduce(ProtobufBytes().field(1, "a")) { message, _ in message.field(3, "en") })
    }
    expectInvalidRequest(["list_names"]) {
      try ToDoMethods.parseQuickAdd.request.decode(
        (0...1024).reduce(ProtobufBytes().field(1, "a")) { message, _ in message.field(4, "work") })
    }
  }

  @Test func request_whenNotUTF8_isRejected() {
    for field in 1...4 as ClosedRange<UInt64> {
      #expect(throws: RPCError.self) {
        try ToDoMethods.parseQuickAdd.request.decode(ProtobufBytes().field(1, "a").field(field, [0xff]))
      }
    }
  }

  @Test func response_roundTrip_preservesValue() throws {
    let response = ToDoMethods.parseQuickAdd.response
    var other = Self.milk
    (other.due, other.location) = (.date(.epoch), nil)
    let spans = ParsedQuickAdd.Field.allCases.enumerated().map { ParsedQuickAdd.Span($1, $0..<$0 + 1) }
    let full = ParsedQuickAdd(
      Self.milk, list: "work", spans: spans, facts: ["Fri 1 May", "at Rossi"], notice: "Is it?", alternatives: [other])
    #expect(try response.roundTrip(full) == full)
    #expect(try response.roundTrip(ParsedQuickAdd(Self.milk)) == ParsedQuickAdd(Self.milk))
  }

  /// The title may be longer than that of an item, which is refused when it is added.
  @Test func response_withLongTitle_isAccepted() throws {
    let long = ParsedQuickAdd(ItemContent(title: String(repeating: "a", count: 2000)))
    #expect(try ToDoMethods.parseQuickAdd.response.roundTrip(long) == long)
  }

  @Test func response_withFieldOfLaterVersion_lacksItsSpan() throws {
    let message = ProtobufBytes().field(1, ProtobufBytes().field(2, "Milk"))
      .field(3, ProtobufBytes().field(1, Int64(99)).field(3, Int64(4)))
    #expect(try ToDoMethods.parseQuickAdd.response.decode(message).spans == [])
  }

  private static let item = ProtobufBytes().field(1, ProtobufBytes())

  private static func span(_ start: Int64, _ end: Int64) -> ProtobufBytes {
    ProtobufBytes().field(1, Int64(1)).field(2, start).field(3, end)
  }

  private static let malformed = [
    ProtobufBytes(), item.field(3, span(2, 1)), item.field(3, span(-1, 1)), item.field(2, "a\u{1b}"),
    item.field(4, "a\nb"), item.field(5, "\n"), (0...64).reduce(item) { message, _ in message.field(4, "a") },
  ]

  @Test(arguments: ParseQuickAddTests.malformed) func response_whenInvalid_isMalformed(_ message: ProtobufBytes) {
    #expect(throws: RPCError.self) { try ToDoMethods.parseQuickAdd.response.decode(message) }
  }
}
