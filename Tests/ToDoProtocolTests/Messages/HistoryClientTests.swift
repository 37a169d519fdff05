import Testing
import ToDoModel
import ToDoProtocol
import ToDoTestSupport

/// The names of clients in a page of the history, which the clients chose.
@Suite struct HistoryClientTests {
  private static let texts: [(stored: String, shown: String)] = [
    ("todo/1.4.0", "todo/1.4.0"), ("", ""), ("x\u{85}y", "xy"), ("\u{1B}[2J\u{7F}\u{9F}\r\n\u{0}", "[2J"),
    ("äöü \u{A0}", "äöü \u{A0}"), (String(repeating: "x", count: 65), String(repeating: "x", count: 64)),
    (String(repeating: "ä", count: 33), String(repeating: "ä", count: 32)),
  ]

  private static func page(_ client: [UInt8]) -> ProtobufBytes {
    let change = ProtobufBytes().field(1, WireItem.idText).field(3, "Milk").field(5, 1)
    let record = ProtobufBytes().field(1, 5).field(2, WireResponse.time).field(3, "ann").field(4, client)
    return ProtobufBytes().field(1, record.field(7, change).field(8, 1))
  }

  @Test(arguments: texts)
  func client_whenSentWithControlCharactersOrTooLong_isCleaned(_ text: (stored: String, shown: String)) throws {
    let page = try ToDoMethods.listRevisions.response.decode(Self.page(Array(text.stored.utf8)))
    #expect(page.revisions.map(\.origin.client) == [text.shown])
    #expect(page.revisions.map(\.origin.user) == ["ann"])
  }

  @Test func client_whenNotUTF8_isRepaired() throws {
    let page = try ToDoMethods.listRevisions.response.decode(Self.page([0x78, 0xFF, 0x79]))
    #expect(page.revisions.map(\.origin.client) == ["x\u{FFFD}y"])
  }

  // A former version of the server stored the texts as they are here.
  @Test(arguments: texts)
  func client_whenStoredWithControlCharacters_isSentWithoutThem(_ text: (stored: String, shown: String)) throws {
    let codec = ToDoMethods.listRevisions.response
    var page = try codec.decode(Self.page([]))
    page.revisions[0].origin.client = text.stored
    let sent = codec.bytes(page)
    page.revisions[0].origin.client = text.shown
    #expect(sent == codec.bytes(page))
    #expect(try codec.decode(sent) == page)
  }
}
