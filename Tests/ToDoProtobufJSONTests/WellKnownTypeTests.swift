import CToDoProtos
import Testing
import ToDoProtobufJSON

/// Times, durations and masks, whose JSON is a string.
@Suite struct WellKnownTypeTests {
  private let update = MessageJSON(todo__v1__update_item_request__init)

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"), ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
    ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
    ("2024-02-29T12:34:56.000001Z", "2024-02-29T12:34:56.000001Z"),
    ("2000-02-29T00:00:00+00:00", "2000-02-29T00:00:00Z"), ("2026-03-01T01:30:00+02:00", "2026-02-28T23:30:00Z"),
    ("2026-12-31T23:30:00-01:45", "2027-01-01T01:15:00Z"), ("1900-03-01T00:00:00Z", "1900-03-01T00:00:00Z"),
    ("2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00Z"),
    ("2026-01-31T12:00:00.0000001Z", "2026-01-31T12:00:00.000000100Z"),
    ("2026-01-31T12:00:00\\u005a", "2026-01-31T12:00:00Z"),
  ])
  func timestamp_isATimeOfRFC3339(text: String, canonical: String) throws {
    #expect(
      try update.again("{\"item\":{\"createTime\":\"\(text)\"}}") == "{\"item\":{\"createTime\":\"\(canonical)\"}}")
  }

  @Test func timestamp_hasSecondsSince1970() throws {
    #expect(
      try MessageJSON(google__protobuf__timestamp__init).wire("\"2026-01-31T12:00:00.5Z\"")
        == "08c0ddf7cb061080cab5ee01")
  }

  @Test(arguments: [
    "", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31t12:00:00Z", "2026-01-31T12:00:00z", "2026-01-31 12:00:00Z",
    "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:60Z", "2026-01-31T12:00:00.Z",
    "2026-01-31T12:00:00.1234567890Z", "2026-01-31T12:00:00+1:00", "2026-01-31T12:00:00+24:00",
    "2026-01-31T12:00:00+01:60",
    "2026-01-31T12:00:00+0100", "2026-01-31T12:00:00Z ", "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01", "10000-01-01T00:00:00Z", "-026-01-31T12:00:00Z",
  ])
  func timestamp_ofAnotherForm_isAnError(text: String) {
    update.expectError(
      "{\"item\":{\"dueTime\":\"\(text)\"}}",
      "item.due_time: isn't a time such as 2026-01-31T12:00:00Z of the years 1 to 9999")
  }

  @Test(arguments: ["08ffffffffffffffff7f", "10ffffffffffffffffff01", "1080f8a7dd0f", "0a00", "0880", "1801"])
  func timestamp_outOfRange_hasNoJSON(hex: String) {
    #expect(throws: MessageJSONError(reason: "has no form in JSON")) {
      try MessageJSON(google__protobuf__timestamp__init).text(hex)
    }
  }

  @Test(arguments: [
    ("0s", "0s"), ("1.5s", "1.500s"), ("-1.5s", "-1.500s"), ("-0.000001s", "-0.000001s"),
    ("0.000000001s", "0.000000001s"),
    ("315576000000s", "315576000000s"), ("-315576000000s", "-315576000000s"), ("1.000s", "1s"),
  ])
  func duration_isSeconds(text: String, canonical: String) throws {
    #expect(try MessageJSON(google__protobuf__duration__init).again("\"\(text)\"") == "\"\(canonical)\"")
  }

  @Test(arguments: [
    "", "1", "s", "1.s", ".5s", "1.1234567890s", "315576000001s", "315576000000.1s", "99999999999999999999s", "+1s",
    "--1s", "1s ",
    "1e3s",
  ])
  func duration_ofAnotherForm_isAnError(text: String) {
    MessageJSON(google__protobuf__duration__init).expectError(
      "\"\(text)\"", "isn't a duration such as 1.5s of at most 10,000 years")
  }

  @Test func duration_withDifferentSigns_hasNoJSON() {
    #expect(throws: MessageJSONError(reason: "has no form in JSON")) {
      try MessageJSON(google__protobuf__duration__init).text("0801 10ffffffffffffffffff01")
    }
  }

  @Test func mask_isItsPathsInCamelCase() throws {
    let wire = "12280a057469746c650a086475655f74696d650a156c6f636174696f6e2e646973706c61795f6e616d65"
    #expect(try update.wire(#"{"updateMask":"title,dueTime,location.displayName"}"#) == wire)
    for mask in ["", "title", "title,dueTime,location.displayName", "*"] {
      #expect(try update.again("{\"updateMask\":\"\(mask)\"}") == "{\"updateMask\":\"\(mask)\"}")
    }
  }

  @Test(arguments: [
    ("due_time", "contains '_'; use lowerCamelCase"), (",", "contains an empty path"), ("a,", "contains an empty path"),
    ("a,,b", "contains an empty path"), ("a b", "contains a character that no path has"),
    ("a\\u0000", "contains a character that no path has"),
  ])
  func mask_ofAnotherForm_isAnError(text: String, reason: String) {
    update.expectError("{\"updateMask\":\"\(text)\"}", "update_mask: \(reason)")
  }

  @Test(arguments: ["0a0141", "0a03615f31", "0a02615f", "0a04615f5f62", "0a0122", "0a00", "0801"])
  func mask_withAnotherPath_hasNoJSON(hex: String) {
    #expect(throws: MessageJSONError.self) { try MessageJSON(google__protobuf__field_mask__init).text(hex) }
  }

  @Test func any_isNotConverted() {
    MessageJSON(google__rpc__status__init).expectError(
      #"{"details":[{"@type":"type.googleapis.com/todo.v1.Item"}]}"#, "details[0]: can't be decoded")
    #expect(throws: MessageJSONError(path: "details", reason: "can't be encoded")) {
      try MessageJSON(google__rpc__status__init).text("1a00")
    }
  }

  @Test(arguments: [
    (#"{"@type":"x/google.rpc.ErrorInfo","reason":"A"}"#, nil),
    (#"{"@type":"y/google.rpc.Status","details":[]}"#, #"{"@type":"y/google.rpc.Status"}"#),
    (
      #"{"reason":"A","metadata":{"@type":"b"},"@type":"x/google.rpc.ErrorInfo"}"#,
      #"{"@type":"x/google.rpc.ErrorInfo","reason":"A","metadata":{"@type":"b"}}"#
    ), (#"{"@type":"x/google.rpc.Status","details":[{"@type":"x/google.rpc.ErrorInfo","domain":"d"}]}"#, nil),
  ])
  func any_ofTypeInSchema_isConverted(_ text: String, _ canonical: String?) throws {
    let again = try statusWithDetails.again("{\"details\":[\(text),\(text)]}")
    #expect(again == "{\"details\":[\(canonical ?? text),\(canonical ?? text)]}")
  }

  @Test(arguments: [
    "{}", #"{"@type":"google.rpc.ErrorInfo"}"#, #"{"@type":"x/google.rpc.BadRequest"}"#, #"{"@type":"x/"}"#,
    #"{"@type":"x/google.protobuf.Duration","value":"1s"}"#,
  ])
  func any_ofOtherType_isNotConverted(_ text: String) {
    statusWithDetails.expectError("{\"details\":[\(text)]}", "details[0]: can't be decoded")
  }

  @Test func any_whenTooDeep_isAnError() {
    let depth = MessageJSON.maximumDepth
    let text =
      String(repeating: #"{"@type":"x/google.rpc.Status","details":["#, count: depth)
      + String(repeating: "]}", count: depth)
    #expect(throws: MessageJSONError.self) { try statusWithDetails.wire("{\"details\":[\(text)]}") }
  }

  /// The converter of a status whose details may be errors' infos, durations and statuses.
  private var statusWithDetails: MessageJSON {
    let types = [
      descriptor(google__rpc__error_info__init), descriptor(google__protobuf__duration__init),
      descriptor(google__rpc__status__init),
    ]
    return MessageJSON(descriptor(google__rpc__status__init), in: MessageSchema(bytesFields: [], anyTypes: types))
  }
}
