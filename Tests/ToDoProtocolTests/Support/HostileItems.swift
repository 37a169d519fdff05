import ToDoProtocol
import ToDoTestSupport

/// Invalid items in the responses of every method.
enum HostileItems {
  private static let notUTF8: [UInt8] = [0xC3, 0x28]

  private static let fields: [(field: String, what: String, item: ProtobufBytes)] =
    [
      ("id", "missing", WireResponse.item(without: 1)), ("id", "not a UUID", WireResponse.item().field(1, "7")),
      ("title", "missing", WireResponse.item(without: 2)), ("title", "blank", WireResponse.item().field(2, " \n")),
      ("title", "too long", WireResponse.item().field(2, WireResponse.text(1025))),
      ("title", "NUL", WireResponse.item().field(2, "a\u{0}b")),
      ("title", "not UTF-8", WireResponse.item().field(2, notUTF8)),
      ("description", "too long", WireResponse.item().field(3, WireResponse.text(65_537))),
      ("description", "not UTF-8", WireResponse.item().field(3, notUTF8)),
      ("due_time", "out of range", WireResponse.item().due(time: WireItem.timestamp(.max, 0))),
      ("due_time", "nanoseconds", WireResponse.item().due(time: WireItem.timestamp(0, -1))),
      ("due_date", "no day", WireResponse.item().due(date: WireItem.date(2026, 2, 30))),
      ("due_date", "no year", WireResponse.item().due(date: WireItem.date(0, 1, 1))),
      ("location", "empty", WireResponse.item().location(ProtobufBytes())),
      ("location.name", "too long", located(ProtobufBytes().field(1, WireResponse.text(1025)))),
      ("location.name", "not UTF-8", located(ProtobufBytes().field(1, notUTF8))),
      ("location.address", "too long", located(ProtobufBytes().field(2, WireResponse.text(1025)))),
      ("location.address", "not UTF-8", located(ProtobufBytes().field(2, notUTF8))),
      ("location.source", "too long", located(WireResponse.place.field(4, WireResponse.text(257)).field(5, 1))),
      ("location.source", "controls", located(WireResponse.place.field(4, "\u{1B}[2J").field(5, 1))),
      ("location.source", "not UTF-8", located(WireResponse.place.field(4, notUTF8).field(5, 1))),
      ("complete_time", "missing though done", WireResponse.item().field(7, 1)),
      ("complete_time", "set though not done", WireResponse.item().field(10, WireResponse.time)),
      ("complete_time", "out of range", WireResponse.item().field(7, 1).field(10, WireItem.timestamp(.min, 0))),
      ("create_time", "missing", WireResponse.item(without: 8)),
      ("create_time", "out of range", WireResponse.item(without: 8).field(8, WireItem.timestamp(.max, 0))),
      ("update_time", "missing", WireResponse.item(without: 9)),
      ("update_time", "out of range", WireResponse.item(without: 9).field(9, WireItem.timestamp(-62_135_596_801, 0))),
      ("revision", "missing", WireResponse.item(without: 11)),
      ("revision", "negative", WireResponse.item().field(11, -1)),
      ("revision", "the least", WireResponse.item().field(11, .min)),
      ("number", "negative", WireResponse.item().field(12, -1)),
      ("steps[1].text", "blank", step("Go").field(17, ProtobufBytes().field(1, " "))),
      ("steps[0].text", "missing", WireResponse.item().field(17, ProtobufBytes().field(2, 1))),
      ("steps[0].text", "not UTF-8", WireResponse.item().field(17, ProtobufBytes().field(1, notUTF8))),
      ("steps[0].text", "too long", step(WireResponse.text(1025))),
      (
        "steps", "too many",
        (0...100).reduce(WireResponse.item()) { item, _ in item.field(17, ProtobufBytes().field(1, "a")) }
      ),
      ("wait_time", "out of range", WireResponse.item().field(18, WireItem.timestamp(.max, 0))),
      ("repetition", "no rule", WireResponse.item().field(19, ProtobufBytes())),
      ("repetition.recurrence_rule", "no rule", repeating(ProtobufBytes().field(1, "FREQ=NEVER"))),
      ("repetition.recurrence_rule", "not UTF-8", repeating(ProtobufBytes().field(1, notUTF8))),
      ("repetition.after_done.unit", "missing", repeating(ProtobufBytes().field(2, ProtobufBytes().field(1, 1)))),
      ("repetition.after_done.count", "missing", repeating(ProtobufBytes().field(2, ProtobufBytes().field(2, 1)))),
      ("repetition.time_zone", "too long", repeating(daily.field(3, WireResponse.text(65)))),
      ("repetition.start_time", "out of range", repeating(daily.field(4, WireItem.timestamp(.max, 0)))),
      ("repetition.start_date", "no day", repeating(daily.field(5, WireItem.date(2026, 2, 30)))),
      ("repetition.missed_count", "negative", repeating(daily.field(6, -1))),
      ("repetition.occurrence_time", "out of range", repeating(daily.field(7, WireItem.timestamp(.max, 0)))),
      ("reminders[0]", "no trigger", WireResponse.item().field(20, ProtobufBytes())),
      ("reminders[0].time", "out of range", reminding(ProtobufBytes().field(1, WireItem.timestamp(.max, 0)))),
      ("reminders[0].seconds_before", "negative", reminding(ProtobufBytes().field(2, -1))),
      ("reminders[0].seconds_before", "no due time", WireResponse.item().field(20, ProtobufBytes().field(2, 1))),
      ("reminders[0].day.days_before", "too many", reminding(ProtobufBytes().field(3, ProtobufBytes().field(1, 367)))),
      ("reminders[0].day.minute_of_day", "24:00", reminding(ProtobufBytes().field(3, ProtobufBytes().field(2, 1440)))),
      (
        "reminders[0].day.time_zone", "not UTF-8",
        reminding(ProtobufBytes().field(3, ProtobufBytes().field(3, notUTF8)))
      ),
      ("reminders[0].place", "unknown", reminding(ProtobufBytes().field(4, 3))),
      ("reminders[0].place", "no place", reminding(ProtobufBytes().field(4, 1))),
      (
        "reminders[0].acknowledged_time", "out of range",
        reminding(ProtobufBytes().field(2, 1).field(5, WireItem.timestamp(.max, 0)))
      ),
      (
        "reminders[0].snooze_time", "out of range",
        reminding(ProtobufBytes().field(2, 1).field(6, WireItem.timestamp(.max, 0)))
      ),
      (
        "reminders", "too many",
        (0...8).reduce(WireResponse.item()) { item, _ in item.field(20, ProtobufBytes().field(2, 1)) }
      ),
      ("repetition.occurrence_date", "no day", repeating(daily.field(8, WireItem.date(2026, 2, 30)))),
    ]
    + [Double.nan, .infinity, -.infinity, 1e300, 90.1, -90.1].map {
      ("location.coordinate.latitude", "\($0)", located(ProtobufBytes().field(3, WireItem.latLng($0, 0))))
    }
    + [Double.nan, .infinity, -.infinity, 1e300, 180.1, -180.1].map {
      ("location.coordinate.longitude", "\($0)", located(ProtobufBytes().field(3, WireItem.latLng(0, $0))))
    }

  private static let daily = ProtobufBytes().field(2, ProtobufBytes().field(1, 1).field(2, 1))

  private static func step(_ text: String) -> ProtobufBytes {
    WireResponse.item().field(17, ProtobufBytes().field(1, text))
  }

  private static func repeating(_ repetition: ProtobufBytes) -> ProtobufBytes {
    WireResponse.item().due(date: WireItem.date(2026, 2, 28)).field(19, repetition)
  }

  private static func reminding(_ reminder: ProtobufBytes) -> ProtobufBytes {
    WireResponse.item().due(time: WireItem.timestamp(1_770_000_000, 0)).field(20, reminder)
  }

  private static func located(_ place: ProtobufBytes) -> ProtobufBytes { WireResponse.item().location(place) }

  static let all: [HostileResponse] =
    fields.flatMap { field, what, item in
      [
        HostileResponse("item.\(field)", what, ToDoMethods.addItem.response, item.asItem),
        HostileResponse("item.\(field)", what, ToDoMethods.getItem.response, item.asItem),
        HostileResponse("item.\(field)", what, ToDoMethods.updateItem.response, item.asItem),
        HostileResponse("item.\(field)", what, ToDoMethods.checkItem.response, item.asItem),
        HostileResponse("item.\(field)", what, ToDoMethods.uncheckItem.response, item.asItem),
        HostileResponse(
          "items[1].\(field)", what, ToDoMethods.batchAddItems.response, WireResponse.item().asItem.field(1, item)),
        HostileResponse("items[0].\(field)", what, ToDoMethods.listItems.response, item.asItem),
        HostileResponse(
          "items[0].item.\(field)", what, ToDoMethods.listNearbyItems.response, ProtobufBytes().field(1, item).asItem),
        HostileResponse(
          "changes[0].put.item.\(field)", what, ToDoMethods.listChanges.response,
          WireResponse.change.field(3, item.asItem).asItem),
        HostileResponse(
          "changes.changes[0].put.item.\(field)", what, ToDoMethods.watchItems.response,
          WireResponse.change.field(3, item.asItem).asItem.asItem),
        HostileResponse(
          "snapshot_page.items[0].\(field)", what, ToDoMethods.watchItems.response,
          ProtobufBytes().field(2, item.asItem)),
      ]
    } + [HostileResponse("item", "missing", ToDoMethods.getItem.response, ProtobufBytes())]
}

/// Invalid fields of pages other than items.
enum HostilePages {
  static let all: [HostileResponse] = [
    HostileResponse("revision", "negative", ToDoMethods.listItems.response, ProtobufBytes().field(3, -1)),
    HostileResponse(
      "items", "too many", ToDoMethods.listItems.response, repeated(WireResponse.item(), 1001)),
    HostileResponse("items", "too many", ToDoMethods.batchAddItems.response, repeated(WireResponse.item(), 501)),
    HostileResponse("items", "too many", ToDoMethods.listNearbyItems.response, repeated(WireResponse.nearby, 1001)),
    HostileResponse("next_revision", "negative", ToDoMethods.listChanges.response, ProtobufBytes().field(2, -1)),
    HostileResponse("changes", "too many", ToDoMethods.listChanges.response, repeated(WireResponse.deletion, 10_001)),
    token(ToDoMethods.listItems.response, 2, WireResponse.text(4097)),
    token(ToDoMethods.listNearbyItems.response, 2, WireResponse.text(4097)),
    token(ToDoMethods.listChanges.response, 4, WireResponse.text(4097)),
    token(ToDoMethods.listItems.response, 2, "\u{1B}"), token(ToDoMethods.listNearbyItems.response, 2, "\n"),
    token(ToDoMethods.listChanges.response, 4, "\u{9B}"),
  ]

  private static func repeated(_ element: ProtobufBytes, _ count: Int) -> ProtobufBytes {
    ProtobufBytes(Array(repeatElement(element.asItem.bytes, count: count).joined()))
  }

  private static func token<Value>(_ codec: Codec<Value>, _ number: UInt64, _ token: String) -> HostileResponse {
    HostileResponse("next_page_token", "\(token.utf8.count) bytes", codec, ProtobufBytes().field(number, token))
  }
}

/// Invalid distances and geocoder candidates.
enum HostilePlaces {
  private static let noWhere = ProtobufBytes().field(2, "Munich").field(4, "gazetteer")

  static let all: [HostileResponse] =
    [Double.nan, -.nan, .infinity, -.infinity, 1e300, -1, -.leastNonzeroMagnitude, 20_037_510].map { distance in
      HostileResponse(
        "items[0].distance_meters", "\(distance)", ToDoMethods.listNearbyItems.response,
        WireResponse.nearby.double(2, distance).asItem)
    } + [
      HostileResponse("items[0].item", "missing", ToDoMethods.listNearbyItems.response, ProtobufBytes().asItem),
      candidate("coordinate", "missing", noWhere),
      candidate("coordinate.latitude", "NaN", noWhere.field(1, WireItem.latLng(.nan, 0))),
      candidate("coordinate.longitude", "1e300", noWhere.field(1, WireItem.latLng(0, 1e300))),
      candidate("display_name", "too long", WireResponse.candidate.field(2, WireResponse.text(1025))),
      candidate("display_name", "controls", WireResponse.candidate.field(2, "a\r\nb")),
      candidate("display_name", "not UTF-8", WireResponse.candidate.field(2, [0xFF])),
      candidate("source", "too long", WireResponse.candidate.field(4, WireResponse.text(257))),
      candidate("source", "controls", WireResponse.candidate.field(4, "\u{7F}")),
      HostileResponse(
        "candidates", "too many", ToDoMethods.geocodeAddress.response,
        ProtobufBytes(Array(repeatElement(WireResponse.candidate.asItem.bytes, count: 51).joined()))),
      HostileResponse(
        "attribution", "too long", ToDoMethods.geocodeAddress.response,
        ProtobufBytes().field(2, WireResponse.text(65_537))),
      HostileResponse(
        "attribution", "controls", ToDoMethods.geocodeAddress.response, ProtobufBytes().field(2, "\u{1B}]0;x\u{7}")),
    ]

  private static func candidate(_ field: String, _ what: String, _ message: ProtobufBytes) -> HostileResponse {
    HostileResponse("candidates[0].\(field)", what, ToDoMethods.geocodeAddress.response, message.asItem)
  }
}
