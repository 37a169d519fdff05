import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

/// Items as clients in any language may send them.
@Suite struct AddItemTests {
  private let add = ToDoMethods.addItem.request
  private let batch = ToDoMethods.batchAddItems.request
  private static let notUTF8: [UInt8] = [0x61, 0xC3, 0x28]

  // MARK: Text

  @Test(arguments: [
    ("item.id", ProtobufBytes().field(1, notUTF8)),
    ("item.title", WireItem.valid.field(2, notUTF8)),
    ("item.description", WireItem.valid.field(3, notUTF8)),
    ("item.location.name", WireItem.valid.location(ProtobufBytes().field(1, notUTF8))),
    ("item.location.address", WireItem.valid.location(ProtobufBytes().field(2, notUTF8))),
  ])
  func text_whenNotUTF8_isMalformedWithFieldName(_ field: String, _ item: ProtobufBytes) {
    expectMalformed(field) { try add.decode(item.asItem) }
    expectMalformed("items[1]" + field.dropFirst(4)) {
      try batch.decode(ProtobufBytes().field(1, WireItem.valid).field(1, item))
    }
  }

  /// Overlong forms, surrogates, code points beyond Unicode, and truncated sequences.
  @Test(
    arguments: [
      [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80], [0xFF],
      [0xF8, 0x88, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func text_withAnyInvalidUTF8_isMalformed(_ bytes: [UInt8]) {
    expectMalformed("item.title") { try add.decode(WireItem.valid.field(2, bytes).asItem) }
  }

  @Test func text_withNUL_isDecoded() throws {
    let item = try add.decode(WireItem.message(title: "a\u{0}b").field(3, "\u{0}").asItem).item
    #expect(item.content == ItemContent(title: "a\u{0}b", itemDescription: "\u{0}"))
    #expect(item.content.violations(at: "item").map(\.field) == ["item.title", "item.description"])
  }

  @Test func text_whenEmpty_isNil() throws {
    let item = WireItem.valid.field(3, "").location(ProtobufBytes().field(1, "").field(2, ""))
    #expect(try add.decode(item.asItem).item.content == ItemContent(title: "Milk", location: Location()))
  }

  // MARK: ID

  @Test(arguments: [
    "", "7", "0198c0de70007abc8def0123456789ab", "0198c0de-7000-7abc-8def-0123456789abc",
    "0198c0de-7000-7abc-8def-0123456789ag", "{198c0de-7000-7abc-8def-0123456789a}", "0198c0de-7000-7abc-8def-01234567é",
    "0198c0de-7000-7abc-8def-0123456789a\u{0}",
  ])
  func id_whenNotUUID_isRejected(_ id: String) {
    expectInvalidItem(["item.id"]) { try add.decode(WireItem.message(id: id).asItem) }
  }

  @Test func id_inUpperCase_isEqual() throws {
    #expect(
      try add.decode(WireItem.message(id: WireItem.idText.uppercased()).asItem).item.id == ItemID(WireItem.idText))
  }

  // MARK: Due

  @Test(arguments: [
    WireItem.timestamp(-62_135_596_801, 0), WireItem.timestamp(253_402_300_800, 0), WireItem.timestamp(0, -1),
    WireItem.timestamp(0, 1_000_000_000), WireItem.timestamp(.max, 0), WireItem.timestamp(.min, 0),
    WireItem.timestamp(0, Int64(Int32.max)), WireItem.timestamp(0, Int64(Int32.min)),
  ])
  func dueTime_whenInvalid_isRejected(_ time: ProtobufBytes) {
    expectInvalidItem(["item.due_time"]) { try add.decode(WireItem.valid.due(time: time).asItem) }
  }

  @Test(arguments: [(1999, 0), (-1999, -2), (1, 0), (999, 0), (-1, -1)])
  func dueTime_withNanoseconds_isRoundedDown(_ nanoseconds: Int64, _ microseconds: Int64) throws {
    let (seconds, nanos) = nanoseconds.flooredDivision(by: 1_000_000_000)
    let item = WireItem.valid.due(time: WireItem.timestamp(seconds, nanos))
    let expected = microseconds + (nanoseconds == 1999 ? 1 : 0)
    #expect(try add.decode(item.asItem).item.content.due == .time(Timestamp(microseconds: expected)))
  }

  @Test(arguments: [
    (0, 1, 1), (10_000, 1, 1), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 2, 29), (2026, 4, 31), (-1, 1, 1),
    (0, 0, 0), (Int64(Int32.max), Int64(Int32.max), Int64(Int32.max)), (Int64(Int32.min), 1, 1),
  ])
  func dueDate_whenDayDoesNotExist_isRejected(_ year: Int64, _ month: Int64, _ day: Int64) {
    expectInvalidItem(["item.due_date"]) {
      try add.decode(WireItem.valid.due(date: WireItem.date(year, month, day)).asItem)
    }
  }

  @Test func due_whenSetTwice_usesLast() throws {
    let item = WireItem.valid.due(time: WireItem.timestamp(0, 0)).due(date: WireItem.date(2026, 5, 1))
    #expect(
      try add.decode(item.asItem).item.content.due == .date(try #require(CalendarDate(year: 2026, month: 5, day: 1))))
  }

  // MARK: Location

  @Test(
    arguments: [
      (90.000_001, 0, ["latitude"]), (-90.000_001, 0, ["latitude"]), (0, 180.000_001, ["longitude"]),
      (0, -180.000_001, ["longitude"]), (.nan, 0, ["latitude"]), (0, .nan, ["longitude"]),
      (.infinity, -.infinity, ["latitude", "longitude"]), (.nan, .nan, ["latitude", "longitude"]),
      (.greatestFiniteMagnitude, 0, ["latitude"]), (0, .signalingNaN, ["longitude"]),
    ] as [(Double, Double, [String])])
  func coordinate_whenOutOfRange_isRejected(_ latitude: Double, _ longitude: Double, _ fields: [String]) {
    let item = WireItem.valid.location(ProtobufBytes().field(3, WireItem.latLng(latitude, longitude)))
    expectInvalidItem(fields.map { "item.location.coordinate.\($0)" }) { try add.decode(item.asItem) }
  }

  @Test func coordinate_whenEmpty_isZero() throws {
    let item = WireItem.valid.location(ProtobufBytes().field(3, ProtobufBytes()))
    let coordinate = try add.decode(item.asItem).item.content.location?.coordinate
    #expect(coordinate == Coordinate(latitude: 0, longitude: 0))
  }

  @Test(arguments: [0, 1, 5, 6, -1, Int64(Int32.max)])
  func item_withServerFields_ignoresThem(_ granularity: Int64) throws {
    let location = ProtobufBytes().field(2, "Markt 1").field(4, "a forged source").field(5, granularity)
    let item = WireItem.valid.location(location).field(7, 1).field(8, WireItem.timestamp(.max, -1)).field(11, -1)
    #expect(
      try add.decode(item.asItem).item.content == ItemContent(title: "Milk", location: Location(address: "Markt 1")))
  }

  private static let candidate = ProtobufBytes().field(2, "Markt 1").field(3, WireItem.latLng(1, 2))

  @Test(arguments: [(1, .house), (5, .country), (99, .region)] as [(Int64, Location.Granularity)])
  func location_whenGeocoded_hasProvenance(_ wire: Int64, _ granularity: Location.Granularity) throws {
    let item = WireItem.valid.location(Self.candidate.field(4, "mock").field(5, wire).field(6, 1))
    let location = try add.decode(item.asItem).item.content.location
    #expect(location?.provenance == Location.Provenance(source: "mock", granularity: granularity))
  }

  @Test func location_whenGeocodedWithoutGranularity_isRejected() {
    let item = WireItem.valid.location(Self.candidate.field(4, "mock").field(6, 1))
    expectInvalidItem(["item.location.granularity"]) { try add.decode(item.asItem) }
  }

  @Test func location_whenGeocodedWithoutCoordinate_ignoresProvenance() throws {
    let location = ProtobufBytes().field(2, "Markt 1").field(4, "mock").field(6, 1)
    let item = try add.decode(WireItem.valid.location(location).asItem).item
    #expect(item.content.location == Location(address: "Markt 1"))
  }

  @Test func location_whenNotGeocoded_ignoresProvenance() throws {
    let item = WireItem.valid.location(Self.candidate.field(4, "mock").field(5, 1))
    #expect(try add.decode(item.asItem).item.content.location?.provenance == nil)
  }

  // MARK: The request

  @Test func request_withoutItem_isRejected() {
    expectInvalidRequest(["item"]) { try add.decode(ProtobufBytes().field(2, 1)) }
  }

  @Test func request_withDecodingAndRuleViolations_reportsAll() {
    let long = String(repeating: "n", count: 1025)
    let item = ProtobufBytes().field(1, "7").field(2, " ").field(3, "\u{0}").due(date: WireItem.date(2026, 2, 30))
      .location(ProtobufBytes().field(1, long).field(3, WireItem.latLng(91, 181)))
    let fields = [
      "id", "title", "description", "due_date", "location.name", "location.coordinate.latitude",
      "location.coordinate.longitude",
    ]
    expectInvalidItem(fields.map { "item.\($0)" }) { try add.decode(item.asItem) }
    expectInvalidItem(fields.map { "items[1].\($0)" } + ["items[2].title"]) {
      try batch.decode(ProtobufBytes().field(1, WireItem.valid).field(1, item).field(1, WireItem.message(title: "")))
    }
  }

  @Test func batch_withManyViolations_namesFirst() {
    let found = ProtobufBytes().field(1, "7").field(2, " ").field(3, "\u{0}").due(date: WireItem.date(2026, 2, 30))
      .location(ProtobufBytes().field(3, WireItem.latLng(91, 181)))
    let item = (0..<32).reduce(found) { item, number in item.field(15, "\(number) ") }
    let items = (0..<500).reduce(ProtobufBytes()) { message, _ in message.field(1, item) }
    #expect {
      try batch.decode(items)
    } throws: { error in
      guard case ToDoError.invalidItem(let violations) = error else { return false }
      return violations.count == RPCError.Limits.violations && violations.last?.field.hasPrefix("items[105]") == true
    }
  }

  @Test func location_whenCoordinateIsInvalid_isNotReportedAsEmpty() {
    let item = WireItem.valid.location(ProtobufBytes().field(3, WireItem.latLng(91, 0)))
    expectInvalidItem(["item.location.coordinate.latitude"]) { try add.decode(item.asItem) }
  }

  @Test func request_withRuleViolationsOnly_isDecoded() throws {
    #expect(try add.decode(WireItem.message(title: "").asItem).item.content.title == "")
  }

  @Test func batch_whenBeyondLimit_decodesOneItemMore() throws {
    let items = (0..<600).reduce(ProtobufBytes()) { message, _ in message.field(1, ProtobufBytes()) }
    #expect(try batch.decode(items).items.count == 501)
  }

  @Test func message_withUnknownFields_isDecoded() throws {
    let message = WireItem.valid.field(99, "later").asItem.field(100, 1)
    #expect(try add.decode(message).item.content == ItemContent(title: "Milk"))
  }
}
