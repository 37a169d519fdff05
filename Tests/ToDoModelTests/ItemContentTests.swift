import Testing
import ToDoModel

@Suite struct ItemContentTests {
  /// Content with one field besides the title, and the same set as a property.
  struct Field: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let content: ItemContent
    let set: @Sendable (inout ItemContent) -> Void
    var size = 0

    init(_ name: String, _ content: ItemContent, size: Int = 0, set: @escaping @Sendable (inout ItemContent) -> Void) {
      (testDescription, self.content, self.size, self.set) = (name, content, size, set)
    }
  }

  static let time = Timestamp(microseconds: 1_777_654_800_000_000)
  static let repetition = Repetition(.calendar(RecurrenceRule(.daily)), timeZone: "Europe/Berlin")
  static let fields = [
    Field("itemDescription", ItemContent(title: "a", itemDescription: "é"), size: 2) { $0.itemDescription = "é" },
    Field("due", ItemContent(title: "a", due: .time(time))) { $0.due = .time(time) },
    Field("location", ItemContent(title: "a", location: Location(name: "Home", address: "B")), size: 5) {
      $0.location = Location(name: "Home", address: "B")
    },
    Field("tags", ItemContent(title: "a", tags: ["b", "cd"]), size: 4) { $0.tags = ["b", "cd"] },
    Field("priority", ItemContent(title: "a", priority: .low)) { $0.priority = .low },
    Field("steps", ItemContent(title: "a", steps: [Step("b")]), size: Step.size(of: [Step("b")])) {
      $0.steps = [Step("b")]
    },
    Field("waitUntil", ItemContent(title: "a", waitUntil: time)) { $0.waitUntil = time },
    Field("repetition", ItemContent(title: "a", repetition: repetition), size: repetition.size) {
      $0.repetition = repetition
    },
    Field("reminders", ItemContent(title: "a", reminders: [Reminder(.time(time))]), size: Reminder(.time(time)).size) {
      $0.reminders = [Reminder(.time(time))]
    },
  ]

  /// Each argument sets its own field, and no other.
  @Test(arguments: fields) func initializer_setsTheFieldOfEachArgument(_ field: Field) {
    var content = ItemContent(title: "a")
    #expect(content != field.content)
    field.set(&content)
    #expect(content == field.content && content.hashValue == field.content.hashValue)
  }

  @Test(arguments: fields) func textSize_countsEachField(_ field: Field) {
    #expect(field.content.textSize == 1 + field.size)
  }

  @Test func unsetMarks_leaveNothingBehind() {
    var content = ItemContent(title: "a", tags: ["b"], priority: .high, steps: [Step("c")], waitUntil: Self.time)
    #expect(content.hasMarks)
    (content.tags, content.priority, content.steps, content.waitUntil) = ([], nil, [], nil)
    #expect(!content.hasMarks && content == ItemContent(title: "a"))
  }

  @Test func copies_doNotShareChanges() {
    let first = ItemContent(title: "a", tags: ["b"])
    var second = first
    second.tags.append("c")
    #expect(first.tags == ["b"] && second.tags == ["b", "c"])
  }

  // MARK: Validation

  private static func long(_ limit: Int) -> String { String(repeating: "x", count: limit + 1) }

  @Test(arguments: [
    (ItemContent(title: " \n"), "title", "must not be blank"),
    (ItemContent(title: "a\0"), "title", "must not contain the character NUL"),
    (ItemContent(title: long(1024)), "title", "is 1025 bytes long; at most 1024 are allowed"),
    (
      ItemContent(title: "a", itemDescription: long(65_536)), "description",
      "is 65537 bytes long; at most 65536 are allowed"
    ),
    (ItemContent(title: "a", location: Location()), "location", "must have a name, an address or a coordinate"),
    (
      ItemContent(title: "a", steps: [Step("b"), Step(" ")]), "steps[1].text", "must not be blank"
    ),
    (
      ItemContent(title: "a", steps: Array(repeating: Step("b"), count: 101)), "steps",
      "has 101 elements; at most 100 are allowed"
    ),
    (
      ItemContent(title: "a", tags: (0...32).map { "t\($0)" }), "tags", "has 33 elements; at most 32 are allowed"
    ),
    (ItemContent(title: "a", tags: ["b", "#"]), "tags[1]", Tag.violation),
    (
      ItemContent(title: "a", reminders: Array(repeating: Reminder(.time(time)), count: 9)), "reminders",
      "has 9 elements; at most 8 are allowed"
    ),
  ])
  func violations_nameFieldAndReason(_ content: ItemContent, _ field: String, _ reason: String) {
    #expect(content.violations(at: "item") == [FieldViolation("item.\(field)", reason)])
  }

  /// Not an argument, because the text of an argument has no year after 9999.
  @Test func violations_whenDueIsAfterYear9999_nameIt() {
    let content = ItemContent(title: "a", due: .time(Timestamp(microseconds: .max)))
    let found = content.violations(at: "item")
    #expect(found == [FieldViolation("item.due_time", "must lie in the years 1 to 9999")])
  }

  @Test func violations_atTheLimits_areNone() {
    let content = ItemContent(
      title: String(repeating: "x", count: 1024), itemDescription: String(repeating: "x", count: 65_536),
      tags: (0..<32).map { "t\($0)" }, steps: Array(repeating: Step("b"), count: 100))
    #expect(content.violations(at: "item").isEmpty)
    #expect(content.textSize <= ItemContent.Limits.allText)
  }

  @Test func violations_areAllReported() {
    let content = ItemContent(title: "", location: Location(), tags: [""])
    #expect(
      content.violations(at: "items[3]").map(\.field) == ["items[3].title", "items[3].location", "items[3].tags[0]"])
  }
}
