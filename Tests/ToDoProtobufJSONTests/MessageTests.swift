import CToDoProtos
import NIOCore
import Testing
import ToDoProtobuf
import ToDoProtobufJSON

/// Messages in messages, lists, maps and enumerations.
@Suite struct MessageTests {
  private let json = MessageJSON(todo__v1__add_item_request__init)

  @Test func item_isConverted_bothWays() throws {
    let text = """
      {"item":{"id":"i","title":"t","dueDate":{"year":2026,"month":1,"day":31},\
      "location":{"name":"Rossi","coordinate":{"latitude":52.5,"longitude":-0.1},"granularity":"GRANULARITY_HOUSE"},\
      "createTime":"2026-01-31T12:00:00Z","revision":"7","tags":["a","b"],"steps":[{"text":"s"},{"done":true},{}],\
      "reminders":[{"secondsBefore":"0"},{"place":"PLACE_TRIGGER_ARRIVING"}]},"allowDuplicate":true}
      """
    #expect(try json.again(text) == text)
  }

  @Test func message_of128BytesOrMore_hasALongerLength() throws {
    for count in [100, 127, 128, 129, 16_000, 16_383, 16_384, 16_385, 3 << 20] {
      let text = "{\"item\":{\"title\":\"\(String(repeating: "x", count: count))\",\"steps\":[{\"done\":true}]}}"
      let again = try json.again(text)
      #expect(again == text, "\(count) bytes")
    }
  }

  @Test(arguments: [
    (#"{"item":{"priority":3}}"#, #"{"item":{"priority":"PRIORITY_HIGH"}}"#),
    (#"{"item":{"priority":"3"}}"#, nil), (#"{"item":{"priority":-1}}"#, #"{"item":{"priority":-1}}"#),
    (#"{"item":{"priority":99}}"#, #"{"item":{"priority":99}}"#),
    (#"{"item":{"priority":"PRIORITY_UNSPECIFIED"}}"#, #"{"item":{}}"#),
    (#"{"item":{"priority":"priority_high"}}"#, nil), (#"{"item":{"priority":2147483648}}"#, nil),
    (#"{"item":{"priority":"PRIORITY_\u0048IGH"}}"#, #"{"item":{"priority":"PRIORITY_HIGH"}}"#),
  ])
  func enumeration_isItsNameOrNumber(text: String, canonical: String?) throws {
    guard let canonical else {
      #expect(throws: MessageJSONError.self) { try json.wire(text) }
      return
    }
    #expect(try json.again(text) == canonical)
  }

  @Test(arguments: [
    (#"{"item":{"priority":"HIGH"}}"#, "item.priority: isn't a value of the enumeration"),
    (
      #"{"item":{"location":{"coordinate":{"latitude":"north"}}}}"#, "item.location.coordinate.latitude: isn't a number"
    ),
    (#"{"item":{"reminders":[{},{},{"secondsBefore":"x"}]}}"#, "item.reminders[2].seconds_before: isn't an integer"),
    (#"{"item":{"title":"a"},"item":{}}"#, "item: occurs twice"),
    (#"{"item":{"dueTime":"2026-01-31T12:00:00Z","dueDate":{}}}"#, "item.due_date: excludes a field that is set too"),
    (#"{"item":[]}"#, "item: expected an object at byte 8"), (#"{"item":"a"}"#, "item: expected an object at byte 8"),
    ("", "expected an object at byte 0"), ("[]", "expected an object at byte 0"),
    ("null", "expected an object at byte 0"),
    ("{", "expected the name of a member at byte 1"), ("{}{}", "expected the end of the text at byte 2"),
    ("{} x", "expected the end of the text at byte 3"), ("\u{FEFF}{}", "begins with a byte order mark"),
    (#"{"item"}"#, "expected ':' at byte 7"), (#"{item:{}}"#, "expected the name of a member at byte 1"),
    (#"{"item":{},}"#, "expected the name of a member at byte 11"), (#"{"item":{}"#, "expected ',' or '}' at byte 10"),
    (#"{"a":tru}"#, "expected a value at byte 5"), (#"{"a":[1 2]}"#, "expected ',' or ']' at byte 8"),
    (#"{"item":{"title":"a"#, "item.title: expected '\"' at byte 19"),
    ("{\"item\":{\"title\":\"a\nb\"}}", "item.title: expected an escape instead of a control character at byte 19"),
    (#"{"item":{"title":"\x"}}"#, "item.title: expected a valid escape at byte 18"),
    (#"{"item":{"title":"\ud83d"}}"#, "item.title: expected a valid escape at byte 18"),
    (#"{"item":{"title":"\ude00\ud83d"}}"#, "item.title: expected a valid escape at byte 18"),
    (#"{"item":{"title":"\ud83d\u0041"}}"#, "item.title: expected a valid escape at byte 18"),
    (#"{"item":{"title":"\u12"}}"#, "item.title: expected a valid escape at byte 18"),
    (#"{"item":{"title":"\"#, "item.title: expected a valid escape at byte 18"),
    (#"{"'": /* comment */ 1}"#, "expected a value at byte 6"),
  ])
  func invalidText_isAnError_thatNamesTheField(text: String, description: String) {
    json.expectError(text, description)
  }

  @Test func text_whenNotUTF8_isAnError() {
    var message = ByteBuffer()
    for invalid in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xC3]] as [[UInt8]] {
      let text = Array("{\"item\":{\"title\":\"".utf8) + invalid + Array("\"}}".utf8)
      #expect(throws: MessageJSONError(reason: "isn't valid UTF-8")) {
        try json.decode(ByteBuffer(bytes: text), into: &message)
      }
    }
  }

  @Test func buffers_areAppendedTo() throws {
    var message = ByteBuffer(string: "a")
    try json.decode(ByteBuffer(string: #"{"allowDuplicate":true}"#), into: &message)
    #expect(Array(message.readableBytesView) == [UInt8(ascii: "a"), 0x10, 1])
    var text = ByteBuffer(string: "a")
    try json.encode(ByteBuffer(bytes: [0x10, 1]), into: &text)
    #expect(String(buffer: text) == #"a{"allowDuplicate":true}"#)
  }

  @Test func maps_areObjects() throws {
    let json = MessageJSON(google__rpc__error_info__init)
    let text = #"{"reason":"R","metadata":{"a":"1","":"","\"":"2"}}"#
    #expect(try json.again(text) == text)
    json.expectError(#"{"metadata":{"a":"1","\u0061":"2"}}"#, "metadata: a key occurs twice")
    json.expectError(#"{"metadata":{"a":1}}"#, "metadata: expected a string at byte 17")
    json.expectError(#"{"metadata":[]}"#, "metadata: expected an object at byte 12")
  }

  @Test func unknownFields_inWireFormat_areOmitted() throws {
    #expect(try json.text("c03e01 1001 ca3e0161") == #"{"allowDuplicate":true}"#)
  }

  @Test(arguments: [
    "0a", "0a05", "10", "1080", "08 01", "12 00", "0b", "10ffffffffffffffffffff01", "0a00 0a00", "1001 1001",
  ])
  func bytes_thatProtobufCDoesNotEncode_areErrors(hex: String) {
    #expect(throws: MessageJSONError.self) { try json.text(hex) }
  }

  @Test func list_whenInterrupted_isAnError() throws {
    let json = MessageJSON(todo__v1__batch_add_items_request__init)
    #expect(try json.text("0a00 0a00 1001") == #"{"items":[{},{}],"allowDuplicates":true}"#)
    #expect(throws: MessageJSONError(path: "items", reason: "occurs twice")) { try json.text("0a00 1001 0a00") }
  }

  @Test func numbersOfAList_mayBeApart() throws {
    #expect(try MessageJSON.allTypes.text("a80101 aa010102 a80103") == #"{"int32List":[1,2,3]}"#)
  }

  @Test func text_whenNotUTF8InWireFormat_isAnError() {
    #expect(throws: MessageJSONError(path: "item.title", reason: "isn't valid UTF-8")) { try json.text("0a03 1201ff") }
  }
}
