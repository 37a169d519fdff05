import Foundation
import Testing
import ToDoModel

/// The JSON form of items.
@Suite struct ItemCodableTests {
  private static let full = """
    {"id": "0198c0de-7000-7abc-8def-0123456789ab", "number": 3, "title": "Visit", "note": "Rubens", \
    "dueTime": "2026-05-01T17:00:00.500Z", "dueDate": null, "location": {"name": "Alte", "address": "Barer Str. 27", \
    "latitude": 48.5, "longitude": 11.5, "source": "gazetteer", "granularity": "locality"}, \
    "tags": ["art", "city/Munich"], "priority": "high", "steps": [{"text": "Go", "done": true}], \
    "waitTime": "2026-04-01T00:00:00Z", "repetition": {"rule": "FREQ=YEARLY", "afterDone": null, \
    "timeZone": "Europe/Berlin", "startTime": "2026-05-01T17:00:00Z", "startDate": null, "missedCount": 2, "occurrenceDate": "2026-05-02"}, "reminders": [{"trigger": "PT1H"}], "done": true, \
    "createTime": "2026-01-01T00:00:00Z", "updateTime": "2026-01-02T00:00:00Z", "completeTime": "2026-01-02T00:00:00Z", \
    "revision": 9, "deleteTime": "2026-01-03T00:00:00Z", "expireTime": "2026-02-03T00:00:00Z"}
    """
  private static let plain = """
    {"id": "0198c0de-7000-7abc-8def-0123456789ab", "number": 3, "title": "Visit", "dueDate": "2026-05-01", "done": false, \
    "createTime": "2026-01-01T00:00:00Z", "updateTime": "2026-01-02T00:00:00Z", "revision": 9, "later": {}}
    """

  private func item(_ json: String) throws -> ToDoItem {
    try JSONDecoder().decode(ToDoItem.self, from: Data(json.utf8))
  }

  @Test func item_withAllFields_isDecoded() throws {
    let item = try item(Self.full)
    #expect(item.id == ItemID("0198c0de-7000-7abc-8def-0123456789ab"))
    #expect((item.number, item.title, item.itemDescription) == (ItemNumber(3), "Visit", "Rubens"))
    #expect(item.due == .time(Timestamp(microseconds: 1_777_654_800_500_000)))
    #expect(
      item.location
        == Location(
          name: "Alte", address: "Barer Str. 27", coordinate: Coordinate(latitude: 48.5, longitude: 11.5),
          provenance: .init(source: "gazetteer", granularity: .locality)))
    #expect((item.tags, item.priority) == (["art", "city/Munich"], .high))
    #expect(item.steps == [Step("Go", isDone: true)] && item.waitUntil?.description == "2026-04-01T00:00:00Z")
    #expect(item.repetition?.rule == .calendar(RecurrenceRule(.yearly)) && item.repetition?.missedCount == 2)
    #expect(item.repetition?.occurrence == CalendarDate(year: 2026, month: 5, day: 2).map(DueDate.date))
    #expect(item.repetition?.timeZone == "Europe/Berlin" && item.repetition?.start != nil)
    #expect(item.reminders == [Reminder(.before(seconds: 3600))])
    #expect(item.isDone && item.completedAt == item.updatedAt)
    #expect(item.revision == Revision(9))
    #expect(item.deletion?.deletedAt.description == "2026-01-03T00:00:00Z")
  }

  @Test func item_whenKeysAreMissingOrUnknown_isDecoded() throws {
    let item = try item(Self.plain)
    #expect(item.due == CalendarDate(year: 2026, month: 5, day: 1).map(DueDate.date))
    #expect(item.location == nil && item.deletion == nil && !item.isDone)
    #expect(item.tags.isEmpty && item.priority == nil)
    #expect(item.steps.isEmpty && item.waitUntil == nil && item.repetition == nil && item.reminders.isEmpty)
  }

  @Test(arguments: [full, plain]) func item_roundTrip_preservesValue(_ json: String) throws {
    let item = try item(json)
    let data = try JSONEncoder().encode(item)
    #expect(try JSONDecoder().decode(ToDoItem.self, from: data) == item)
  }

  @Test func item_whenEncoded_hasNullForUnsetFields() throws {
    let data = try JSONEncoder().encode(try item(Self.plain))
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      object.keys.sorted() == [
        "completeTime", "createTime", "done", "dueDate", "dueTime", "id", "location", "note", "number",
        "priority", "reminders", "repetition", "revision", "steps", "tags", "title", "updateTime", "waitTime",
      ])
    #expect(
      ["completeTime", "dueTime", "location", "note", "priority", "repetition", "waitTime"].allSatisfy {
        object[$0] is NSNull
      })
  }

  @Test(arguments: [
    ("\"done\": true", "\"done\": false"), ("\"done\": true", "\"done\": \"yes\""),
    ("\"dueDate\": null", "\"dueDate\": \"2026-05-01\""), ("17:00:00.500Z", "25:00:00Z"),
    ("0198c0de-", "0198c0de"), ("\"longitude\": 11.5", "\"longitude\": null"), ("48.5", "91"),
    ("\"locality\"", "\"galaxy\""), ("\"gazetteer\"", "null"), ("\"title\": \"Visit\"", "\"title\": null"),
    ("\"FREQ=YEARLY\"", "null"), ("FREQ=YEARLY", "FREQ=NEVER"), ("\"afterDone\": null", "\"afterDone\": \"P1D\""),
    ("\"startDate\": null", "\"startDate\": \"2026-05-01\""), ("2026-04-01T00", "2026-04-01T25"),
    ("\"occurrenceDate\": \"2026-05-02\"", "\"occurrenceDate\": \"2026-05-32\""),
    ("{\"text\": \"Go\"", "{\"name\": \"Go\""), ("\"PT1H\"", "\"1h\""),
    ("\"2026-02-03T00:00:00Z\"", "null"), ("\"number\": 3", "\"number\": 0.5"),
  ])
  func item_whenAValueIsWrong_isRejected(_ value: String, _ wrong: String) {
    #expect(Self.full.contains(value))
    #expect(throws: DecodingError.self) { try item(Self.full.replacing(value, with: wrong)) }
  }
}
