import Foundation
import Testing
import ToDoModel
import ToDoTestSupport
import ToDoText

/// An item has one JSON form, whether the command prints it or `Codable` encodes it.
@Suite struct ItemFormTests {
  @Test(arguments: items) func codableForm_isThatOfTheCommand(_ item: ToDoItem) throws {
    let encoded = try fields(JSONEncoder().encode(item))
    let printed = try fields(Data(JSONValue(item).lineText.utf8))
    #expect(encoded.keys.sorted() == printed.keys.sorted())
    for (key, value) in printed { #expect(encoded[key] == value, "\(key)") }
  }

  @Test(arguments: items) func printedForm_isDecodedToTheItem(_ item: ToDoItem) throws {
    let decoded = try JSONDecoder().decode(ToDoItem.self, from: Data(JSONValue(item).indentedText.utf8))
    #expect(decoded == item)
  }

  /// Returns the text of each field, with keys in alphabetical order.
  private func fields(_ json: Data) throws -> [String: String] {
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    return try object.mapValues { value in
      let data = try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
      return String(decoding: data, as: UTF8.self)
    }
  }

  private static let items: [ToDoItem] = {
    var deleted = ToDoItem.sample(2, completed: 1)
    deleted.deletion = ToDoItem.Deletion(deletedAt: .sample(3), expiresAt: .sample(4_000_001))
    let contents = [
      ItemContent.full,
      ItemContent(
        title: "\u{1B}[31m \"quoted\" \\ / \u{2028}é👩‍👧",
        due: CalendarDate(year: 2026, month: 2, day: 28).map(DueDate.date)),
      ItemContent(title: "Geocoded", location: Location(address: "Marienplatz", at: .alte)),
      ItemContent(
        title: "Far", location: Location(coordinate: Coordinate(latitude: -89.999_999_9, longitude: 1e-7))),
    ]
    let samples = contents.enumerated().map { index, content in
      var item = ToDoItem.sample(UInt64(index) + 3, created: 123_456)
      item.number = ItemNumber(Int64.max)
      item.revision = Revision(Int64.max)
      item.content = content
      return item
    }
    return [.sample(1), deleted] + samples
  }()
}
