import CToDoProtos
import NIOCore
import Testing
import ToDoProtobuf
import ToDoProtobufJSON

/// Input that would need more than the limits.
@Suite struct LimitTests {
  private let listItems = MessageJSON(todo__v1__list_items_request__init)

  /// A filter in filters.
  private func nested(_ depth: Int) -> String {
    "{\"filter\":" + String(repeating: "{\"anyOf\":[", count: depth - 2) + "{}"
      + String(repeating: "]}", count: depth - 2)
      + "}"
  }

  @Test func messages_areNestedAsDeepAsTheWireFormatAllows() throws {
    let depth = MessageJSON.maximumDepth
    let text = nested(depth)
    #expect(try listItems.again(text) == text)
    let path = "filter" + String(repeating: ".any_of[0]", count: depth - 1)
    listItems.expectError(nested(depth + 1), "\(path): is nested too deeply")
  }

  @Test func values_withoutAField_areNestedAsDeep() throws {
    let depth = MessageJSON.maximumDepth - 1
    let open = String(repeating: "[", count: depth)
    let close = String(repeating: "]", count: depth)
    #expect(try listItems.wire("{\"a\":\(open)\(close)}").isEmpty)
    listItems.expectError("{\"a\":[\(open)\(close)]}", "is nested too deeply")
    listItems.expectError("{\"a\":" + String(repeating: "{\"a\":", count: 1 << 20), "is nested too deeply")
    listItems.expectError("{\"a\":" + String(repeating: "[", count: 1 << 20), "is nested too deeply")
  }

  @Test func wireFormat_nestedDeeper_isNotEncoded() {
    var hex = "4200"
    for _ in 0..<40 { hex = "32" + varint(hex.count / 2) + hex }
    let message = "42" + varint(hex.count / 2) + hex
    #expect(throws: MessageJSONError.self) { try listItems.text(message) }
  }

  private func varint(_ value: Int) -> String { value < 16 ? "0\(String(value, radix: 16))" : String(value, radix: 16) }

  @Test func elements_areCounted_inAllLists() throws {
    let text = #"{"numbers":["1","2"],"filter":{"tags":{"all":["a"],"none":["b"]},"anyOf":[{}]}}"#
    #expect(try !listItems.wire(text, maximumElements: 5).isEmpty)
    #expect(throws: MessageJSONError.self) { try listItems.wire(text, maximumElements: 4) }
    let mask = MessageJSON(todo__v1__update_item_request__init)
    #expect(try !mask.wire(#"{"updateMask":"a,b"}"#, maximumElements: 2).isEmpty)
    let error = #expect(throws: MessageJSONError.self) { try mask.wire(#"{"updateMask":"a,b"}"#, maximumElements: 1) }
    #expect(error?.failure == .tooManyElements && error?.path == "update_mask")
  }

  @Test func message_largerThanTheLimit_isAnError() throws {
    let text = #"{"text":"abc","numbers":[-1,-1]}"#
    let size = try listItems.wire(text).count / 2
    #expect(try listItems.wire(text, maximumSize: size).count == 2 * size)
    let error = #expect(throws: MessageJSONError.self) { try listItems.wire(text, maximumSize: size - 1) }
    #expect(error?.failure == .tooLarge)
  }

  /// A negative number needs ten bytes in wire format, and three in JSON.
  @Test func numbers_thatNeedMoreBytesThanTheirText_stopAtTheLimit() {
    let text = "{\"numbers\":[" + String(repeating: "-1,", count: 1 << 20) + "-1]}"
    var message = ByteBuffer()
    let error = #expect(throws: MessageJSONError.self) {
      try listItems.decode(ByteBuffer(string: text), into: &message, maximumSize: 1 << 20)
    }
    #expect(error?.failure == .tooLarge)
    #expect(message.writerIndex <= 1 << 20 + 16)
  }

  @Test func text_largerThanTheLimit_isAnError() throws {
    let json = MessageJSON(todo__v1__batch_add_items_request__init)
    let text = try json.text("0a00 0a00")
    #expect(try json.text("0a00 0a00", maximumSize: text.utf8.count) == text)
    let error = #expect(throws: MessageJSONError.self) { try json.text("0a00 0a00", maximumSize: text.utf8.count - 1) }
    #expect(error?.failure == .tooLarge)
  }
}
