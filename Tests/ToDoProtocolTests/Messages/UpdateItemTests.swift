import Testing
import ToDoModel
import ToDoProtocol
import ToDoTestSupport

/// Edits, encoded as an item and the paths of its edited fields.
@Suite struct UpdateItemTests {
  private let update = ToDoMethods.updateItem.request
  private static let full = WireItem.message(title: "New").field(3, "More").due(date: WireItem.date(2026, 5, 1))
    .location(ProtobufBytes().field(1, "Shop").field(2, "Markt 1").field(3, WireItem.latLng(1, 2)))
  private static let bare = ProtobufBytes().field(1, WireItem.idText)
  private static let date = CalendarDate(daysSinceEpoch: 20_574)
  private static let time = Timestamp(microseconds: 7_000_005)
  private static let shop = ProtobufBytes().field(1, "Shop")
  private static let location = Location(
    name: "Shop", address: "Markt 1", coordinate: Coordinate(latitude: 1, longitude: 2))

  private func edit(_ item: ProtobufBytes, _ paths: [String], revision: Int64 = 0) throws -> ItemEdit {
    try update.decode(Self.request(item, paths, revision: revision)).edit
  }

  private static func request(_ item: ProtobufBytes, _ paths: [String], revision: Int64? = 0) -> ProtobufBytes {
    let mask = paths.reduce(ProtobufBytes()) { $0.field(1, $1) }
    let request = item.asItem.field(2, mask)
    return revision.map { request.field(3, $0) } ?? request
  }

  private static func edit(_ body: (inout ItemEdit) -> Void) -> ItemEdit {
    var edit = ItemEdit()
    body(&edit)
    return edit
  }

  // MARK: Paths

  static let settings: [([String], ItemEdit)] = [
    (["title"], edit { $0.title = "New" }),
    (["description"], edit { $0.itemDescription = .set("More") }),
    (["due"], edit { $0.due = .set(.date(date)) }),
    (["due_date"], edit { $0.due = .set(.date(date)) }),
    (["due_time"], edit { $0.due = .set(.date(date)) }),
    (["location"], edit { $0.location = .set(location) }),
    (["location.name"], edit { $0.location = .edit(name: .set("Shop")) }),
    (["location.address"], edit { $0.location = .edit(address: .set("Markt 1")) }),
    (
      ["location.coordinate"],
      edit { edit in
        edit.location = .edit(coordinate: location.coordinate.map(FieldEdit.set) ?? .keep)
      }
    ),
    (["location", "location.name"], edit { $0.location = .set(location) }),
    (["location.name", "location"], edit { $0.location = .set(location) }),
    (["title", "title"], edit { $0.title = "New" }),
    (
      ["due_time", "description", "due", "title"],
      edit {
        $0.title = "New"
        $0.itemDescription = .set("More")
        $0.due = .set(.date(date))
      }
    ),
  ]

  @Test(arguments: settings)
  func path_whenNamed_setsItsFieldOnly(_ paths: [String], _ expected: ItemEdit) throws {
    #expect(try edit(Self.full, paths) == expected)
  }

  static let clearings: [(String, ItemEdit)] = [
    ("title", edit { $0.title = "" }),
    ("description", edit { $0.itemDescription = .clear }),
    ("due", edit { $0.due = .clear }),
    ("due_date", edit { $0.due = .clear }),
    ("due_time", edit { $0.due = .clear }),
    ("location", edit { $0.location = .clear }),
    ("location.name", edit { $0.location = .edit(name: .clear) }),
    ("location.address", edit { $0.location = .edit(address: .clear) }),
    ("location.coordinate", edit { $0.location = .edit(coordinate: .clear) }),
  ]

  @Test(arguments: clearings)
  func path_whenFieldIsUnset_clearsField(_ path: String, _ expected: ItemEdit) throws {
    #expect(try edit(Self.bare, [path]) == expected)
  }

  @Test(arguments: [
    "", "*", "id", "item", "item.title", "Title", "title.", " title", "title,description", "done", "revision",
    "create_time", "location.source", "location.coordinate.latitude", "due_time.seconds", "\u{0}", "title\u{0}",
  ])
  func path_whenUnknown_isRejected(_ path: String) {
    expectInvalidRequest(["update_mask"]) { try edit(Self.full, ["title", path]) }
  }

  @Test func mask_withoutPaths_isRejected() {
    expectInvalidRequest(["update_mask"]) { try edit(Self.full, []) }
    expectInvalidRequest(["update_mask"]) { try update.decode(Self.full.asItem) }
  }

  @Test func path_whenNotUTF8_isMalformed() {
    let mask = ProtobufBytes().field(1, "title").field(1, [0xFF])
    expectMalformed("update_mask") { try update.decode(Self.full.asItem.field(2, mask)) }
  }

  @Test func mask_withManyUnknownPaths_makesShortError() throws {
    let mask = (0..<10_000).map { "unknown-\($0)" } + [String(repeating: "x", count: 100_000)]
    let error = try #require(throws: ToDoError.self) { try edit(Self.full, mask) }
    #expect(error.description.utf8.count < 1000)
  }

  @Test func coordinate_whenGeocoded_hasProvenanceOfItsPath() throws {
    let place = ProtobufBytes().field(2, "Markt 1").field(3, WireItem.latLng(1, 2)).field(4, "mock").field(5, 3).field(
      6, 1)
    let item = Self.bare.location(place)
    let coordinate = try #require(Self.location.coordinate)
    let provenance = Location.Provenance(source: "mock", granularity: .locality)
    #expect(
      try edit(item, ["location.coordinate"])
        == Self.edit { $0.location = .edit(coordinate: .set(coordinate), provenance: provenance) })
    #expect(try edit(item, ["location.address"]) == Self.edit { $0.location = .edit(address: .set("Markt 1")) })
    let location = Location(address: "Markt 1", coordinate: coordinate, provenance: provenance)
    #expect(try edit(item, ["location"]) == Self.edit { $0.location = .set(location) })
  }

  @Test(arguments: ["location", "location.coordinate"])
  func coordinate_whenGeocodedWithoutGranularity_isRejected(_ path: String) {
    let item = Self.bare.location(ProtobufBytes().field(3, WireItem.latLng(1, 2)).field(4, "mock").field(6, 1))
    expectInvalidItem(["item.location.granularity"]) { try edit(item, [path]) }
  }

  // MARK: Bytes

  /// The bytes of each edit: the item without its ID, and the paths.
  static let encodings: [(ItemEdit, ProtobufBytes, [String])] = [
    (edit { $0.title = "New" }, ProtobufBytes().field(2, "New"), ["title"]),
    (edit { $0.itemDescription = .set("More") }, ProtobufBytes().field(3, "More"), ["description"]),
    (edit { $0.itemDescription = .clear }, ProtobufBytes(), ["description"]),
    (edit { $0.due = .set(.time(time)) }, ProtobufBytes().due(time: WireItem.timestamp(7, 5000)), ["due"]),
    (edit { $0.due = .set(.date(date)) }, ProtobufBytes().due(date: WireItem.date(2026, 5, 1)), ["due"]),
    (edit { $0.due = .clear }, ProtobufBytes(), ["due"]),
    (edit { $0.tags = ["a", "b"] }, ProtobufBytes().field(15, "a").field(15, "b"), ["tags"]),
    (edit { $0.tags = [] }, ProtobufBytes(), ["tags"]),
    (edit { $0.priority = .set(.high) }, ProtobufBytes().field(16, 3), ["priority"]),
    (edit { $0.priority = .clear }, ProtobufBytes(), ["priority"]),
    (
      edit { $0.steps = [Step("Go", isDone: true)] },
      ProtobufBytes().field(17, ProtobufBytes().field(1, "Go").field(2, 1)), ["steps"]
    ),
    (edit { $0.steps = [] }, ProtobufBytes(), ["steps"]),
    (edit { $0.waitUntil = .set(time) }, ProtobufBytes().field(18, WireItem.timestamp(7, 5000)), ["wait_time"]),
    (edit { $0.waitUntil = .clear }, ProtobufBytes(), ["wait_time"]),
    (
      edit { $0.repetition = .set(Repetition(.calendar(RecurrenceRule(.daily)), timeZone: "Europe/Berlin")) },
      ProtobufBytes().field(19, ProtobufBytes().field(1, "FREQ=DAILY").field(3, "Europe/Berlin")), ["repetition"]
    ),
    (edit { $0.repetition = .clear }, ProtobufBytes(), ["repetition"]),
    (
      edit { $0.reminders = [Reminder(.before(seconds: 3600))] },
      ProtobufBytes().field(20, ProtobufBytes().field(2, 3600)), ["reminders"]
    ),
    (edit { $0.reminders = [] }, ProtobufBytes(), ["reminders"]),
    (edit { $0.location = .clear }, ProtobufBytes(), ["location"]),
    (edit { $0.location = .set(Location(name: "Shop")) }, ProtobufBytes().location(shop), ["location"]),
    (edit { $0.location = .edit(name: .set("Shop")) }, ProtobufBytes().location(shop), ["location.name"]),
    (
      edit { $0.location = .edit(name: .clear, address: .clear, coordinate: .clear) },
      ProtobufBytes().location(ProtobufBytes()), ["location.name", "location.address", "location.coordinate"]
    ),
    (
      edit {
        $0.location = .edit(address: .set("Markt 1"), coordinate: location.coordinate.map(FieldEdit.set) ?? .keep)
      },
      ProtobufBytes().location(ProtobufBytes().field(2, "Markt 1").field(3, WireItem.latLng(1, 2))),
      ["location.address", "location.coordinate"]
    ),
    (
      edit {
        $0.reminders = []
        $0.location = .clear
        $0.title = "New"
        $0.itemDescription = .clear
        $0.due = .clear
        $0.tags = []
        $0.priority = .clear
        $0.steps = []
        $0.waitUntil = .clear
        $0.repetition = .clear
      }, ProtobufBytes().field(2, "New"),
      [
        "title", "description", "due", "tags", "priority", "steps", "wait_time", "repetition", "reminders", "location",
      ]
    ),
  ]

  @Test(arguments: encodings)
  func edit_whenEncoded_hasItsFieldsAndPaths(_ edit: ItemEdit, _ fields: ProtobufBytes, _ paths: [String]) throws {
    let request = UpdateItemRequest(id: try #require(ItemID(WireItem.idText)), edit: edit, ifRevision: nil)
    let item = ProtobufBytes(Self.bare.bytes + fields.bytes)
    #expect(update.bytes(request) == Self.request(item, paths, revision: nil).bytes)
  }

  // MARK: Values

  @Test func field_whenNotNamed_isNotValidated() throws {
    let item = Self.bare.field(2, "New").due(date: WireItem.date(2026, 2, 30))
      .location(ProtobufBytes().field(1, "Shop").field(3, WireItem.latLng(.nan, 0)))
    #expect(try edit(item, ["title"]) == Self.edit { $0.title = "New" })
    #expect(try edit(item, ["location.name"]) == Self.edit { $0.location = .edit(name: .set("Shop")) })
    expectInvalidItem(["item.due_date"]) { try edit(item, ["due_time", "title"]) }
    expectInvalidItem(["item.location.coordinate.latitude"]) { try edit(item, ["location.coordinate"]) }
    expectInvalidItem(["item.location.coordinate.latitude"]) { try edit(item, ["location"]) }
  }

  @Test func request_withDecodingAndRuleViolations_reportsAll() {
    let item = Self.bare.field(2, " ").field(3, "\u{0}").due(date: WireItem.date(2026, 2, 30))
      .location(ProtobufBytes().field(1, String(repeating: "n", count: 1025)))
    expectInvalidItem(["item.title", "item.due_date", "item.location.name"]) {
      try edit(item, ["title", "due", "location.name"])
    }
  }

  @Test func location_withSource_ignoresSource() throws {
    let location = ProtobufBytes().field(1, "Shop").field(4, "forged").field(5, 1)
    #expect(
      try edit(Self.bare.location(location), ["location"]) == Self.edit { $0.location = .set(Location(name: "Shop")) })
  }

  // MARK: The request

  @Test func request_withoutItem_isRejected() {
    expectInvalidRequest(["item"]) {
      try update.decode(ProtobufBytes().field(2, ProtobufBytes().field(1, "title")))
    }
  }

  @Test func request_withSeveralViolations_reportsAll() {
    expectInvalidRequest(["item.id", "if_revision", "update_mask", "item.due_date"]) {
      try edit(
        WireItem.message(id: "7").due(date: WireItem.date(0, 0, 0)), ["due", "unknown"], revision: -1)
    }
  }

  @Test(arguments: [(0, nil), (1, Revision(1)), (.max, Revision(.max))] as [(Int64, Revision?)])
  func ifRevision_whenZero_isNoPrecondition(_ number: Int64, _ expected: Revision?) throws {
    #expect(try update.decode(Self.request(Self.full, ["title"], revision: number)).ifRevision == expected)
  }
}
