import Testing
import ToDoModel

@testable import todo

@Suite struct ImportedItemTests {
  private static let id = "01a21104-3d88-7d38-8f5b-b980d7affa1a"
  private static let list = "0198c0de-0001-7000-8000-000000000001"

  private func items(_ text: String) throws -> [ImportedItem] { try ImportedItem.items(in: Array(text.utf8)) }

  @Test func items_ofListing_haveAllFields() throws {
    let item = try #require(
      try items(
        """
        {"revision": 2, "items": [
          {"id": "\(Self.id)", "number": 7, "title": "Milk", "note": "2 l", "dueTime": null, "dueDate": "2026-05-01",
           "location": {"name": "Shop", "address": null, "latitude": 52.5, "longitude": 13.4, "source": null,
           "granularity": null}, "done": true, "createTime": "2026-04-29T08:15:42Z", "revision": 2}
        ]}
        """
      ).first)
    #expect(
      item
        == ImportedItem(
          line: 2, id: ItemID(Self.id), number: 7, isDone: true,
          content: ItemContent(
            title: "Milk", itemDescription: "2 l", due: CalendarDate("2026-05-01").map(DueDate.date),
            location: Location(name: "Shop", coordinate: Coordinate(latitude: 52.5, longitude: 13.4)))))
  }

  @Test(arguments: [
    (#"[{"title": "b", "number": 2}, {"title": "c"}, {"title": "a", "number": 1}]"#, ["a", "b", "c"]),
    ("{\"title\": \"a\"}\n{\"title\": \"b\"}", ["a", "b"]),
    ("", []), ("[]", []), (#"{"revision": 0, "items": []}"#, []),
    (
      """
      {"type": "item", "item": {"id": "\(id)", "title": "old"}}
      {"type": "snapshot", "revision": 3}
      {"type": "put", "revision": 4, "item": {"id": "\(id)", "title": "new"}}
      """, ["new"]
    ),
    (
      """
      {"type": "put", "item": {"id": "\(id)", "title": "old"}}
      {"type": "deleted", "id": "\(id)"}
      {"type": "put", "item": {"title": "other"}}
      """, ["other"]
    ),
    (
      """
      {"type": "put", "item": {"id": "\(id)", "title": "matches"}}
      {"type": "unmatched", "id": "\(id)", "done": false}
      """, []
    ),
    (
      """
      {"type": "item", "item": {"title": "deleted meanwhile"}}
      {"type": "restarted"}
      {"type": "item", "item": {"title": "a"}}
      """, ["a"]
    ),
    (
      """
      {"type": "put", "list": {"id": "\(list)", "name": "Work"}, "item": {"id": "\(id)", "title": "moved", \
      "list": {"id": "\(list)", "name": "Work"}}}
      {"type": "deleted", "list": {"id": "default", "name": "Inbox"}, "id": "\(id)"}
      {"type": "item", "list": {"id": "default", "name": "Inbox"}, "item": {"title": "before"}}
      {"type": "restarted", "list": {"id": "default", "name": "Inbox"}}
      {"type": "ended", "list": {"id": "\(list)", "name": "Work"}, "reason": "LIST_NOT_FOUND", "message": "gone"}
      """, ["moved"]
    ),
    (
      """
      {"items": [{"id": "\(id)", "title": "a"}, {"id": "\(id)", "title": "b", "list": {"id": "\(list)", "name": "Work"}},
      {"id": "\(id)", "title": "c", "list": "Home"}, {"id": "\(id)", "title": "d", "list": {"id": "default"}}]}
      """, ["d", "b", "c"]
    ),
    (
      """
      {"type": "item", "item": {"id": "\(id)", "title": "a"}}
      {"type": "item", "item": {"id": "\(id)", "title": "b", "list": {"id": "\(list)", "name": "Work"}}}
      {"type": "deleted", "id": "\(id)"}
      """, ["a"]
    ),
    (
      """
      {"type": "item", "list": {"id": "default", "name": "Inbox"}, "item": {"id": "\(id)", "title": "a"}}
      {"type": "item", "list": {"id": "\(list)", "name": "Work"}, "item": {"id": "\(id)", "title": "b"}}
      {"type": "deleted", "list": {"id": "default", "name": "Inbox"}, "id": "\(id)"}
      {"type": "put", "list": {"id": "\(list)", "name": "Work"}, "item": {"id": "\(id)", "title": "c"}}
      {"type": "restarted", "list": {"id": "default", "name": "Inbox"}}
      """, ["c"]
    ),
    (#"[{"title": "Milk", "createTime": "2026-04-29T08:15:42Z", "nearestTown": null}]"#, ["Milk"]),
  ])
  func items_ofEveryForm_areRead(text: String, titles: [String]) throws {
    #expect(try items(text).map(\.content.title) == titles)
  }

  @Test(arguments: [
    ("[{\"title\": \"a\"},\n{\"note\": \"b\"}]", "line 2: title: is missing"),
    (#"[{"title": 3}]"#, "line 1: title: must be a string"),
    (#"[{"title": "a", "done": "yes"}]"#, "line 1: done: must be true or false"),
    (#"[{"title": "a", "id": "7"}]"#, "line 1: id: '7' is not a UUID in lower case"),
    (#"[{"title": "a", "location": {"latitude": "x"}}]"#, "line 1: location.latitude: must be a number"),
    (#"[{"title": "a", "location": "x"}]"#, "line 1: location: must be an object"),
    (#"[{"title": "a", "list": 3}]"#, "line 1: list: must be an object"),
    (#"[{"title": "a", "list": {}}]"#, "line 1: list: needs a name"),
    (#"[{"title": "a", "list": {"id": "7"}}]"#, "line 1: list.id: '7' is not the ID of a list"),
    (#"[{"title": "a", "reminders": [7]}]"#, "line 1: reminders[0]: must be an object"),
    ("\n\n[3]", "line 3: is not a JSON object"),
    (#"[{"title": "a"}, {"title"]"#, "line 1: is not valid JSON"),
    ("nonsense", "line 1: is not valid JSON"),
    ("[{\"title\": \"a\"},\n", "line 1: is not valid JSON"), (#"[{"title": "a"}"#, "line 1: is not valid JSON"),
    (#"[{"title": "a"},, {"title": "b"}]"#, "line 1: is not valid JSON"),
    (#"{"revision": oops, "items": [{"title": "a"}]}"#, "line 1: is not valid JSON"),
    (#"[{"note": "food"}]"#, "line 1: title: is missing"),
    ("{\"type\": \"put\",\n\"item\": {}}", "line 1: item.title: is missing"),
  ])
  func items_ofInvalidText_nameLineAndField(text: String, error: String) throws {
    let thrown = try #require(throws: ImportError.self) { try items(text) }
    #expect("\(thrown)" == error)
  }

  @Test(arguments: [
    ("[{\"title\": \"a\"},\n{\"title\": \"b\", \"dueDat\": \"2026-05-01\"}]", "line 2: dueDat: is not a field; "),
    (#"[{"title": "Milk", "type": "food", "items": [1]}]"#, "line 1: items: is not a field; "),
    (#"[{"title": "a", "location": {"lat": 1}}]"#, "line 1: location.lat: is not a field; "),
    (#"[{"title": "a", "steps": [{"text": "b"}, {"text": "c", "isDone": true}]}]"#, "isDone: is not a field; "),
    (
      #"[{"title": "a", "repetition": {"rule": "FREQ=DAILY", "until": 3}}]"#,
      "line 1: repetition.until: is not a field; "
    ),
    ("{\"type\": \"put\",\n\"item\": {\"title\": \"a\", \"x\": 1}}", "line 1: item.x: is not a field; "),
  ])
  func items_withUnknownField_areRefused(text: String, error: String) throws {
    let thrown = try #require(throws: ImportError.self) { try items(text) }
    #expect("\(thrown)".contains(error))
    #expect("\(thrown)".contains("the fields are"))
  }

  @Test(
    arguments: [
      (#"{"title": "a"}"#, nil), (#"{"title": "a", "list": null}"#, nil),
      (#"{"title": "a", "list": "Work"}"#, .init(name: "Work")),
      (#"{"title": "a", "list": {"name": "Work"}}"#, .init(name: "Work")),
      (#"{"title": "a", "list": {"id": "\#(id)", "name": "Work"}}"#, .init(id: ListID(id), name: "Work")),
    ] as [(String, ImportedItem.ListReference?)])
  func items_withList_nameIt(text: String, list: ImportedItem.ListReference?) throws {
    #expect(try items(text).map(\.list) == [list])
  }
}
