import Testing
import ToDoModel

@Suite struct ToDoItemTests {
  private static let (early, late) = (Timestamp(microseconds: 1), Timestamp(microseconds: 2))
  private static let deletion = ToDoItem.Deletion(deletedAt: early, expiresAt: late)

  private static func item(
    content: ItemContent = ItemContent(title: "Milk"), completedAt: Timestamp? = nil,
    deletion: ToDoItem.Deletion? = nil
  ) -> ToDoItem {
    ToDoItem(
      id: ItemID(high: 1, low: 2), number: ItemNumber(3), content: content, createdAt: early, updatedAt: late,
      completedAt: completedAt, revision: Revision(4), deletion: deletion)
  }

  @Test func initializer_setsEachField() {
    let item = Self.item(completedAt: Self.late, deletion: Self.deletion)
    #expect(item.id == ItemID(high: 1, low: 2) && item.number == ItemNumber(3) && item.revision == Revision(4))
    #expect(item.content == ItemContent(title: "Milk"))
    #expect([item.createdAt, item.updatedAt, item.completedAt] == [Self.early, Self.late, Self.late])
    #expect(item.deletion?.deletedAt == Self.early && item.deletion?.expiresAt == Self.late)
  }

  @Test(arguments: ItemContentTests.fields) func fields_areThoseOfTheContent(_ field: ItemContentTests.Field) {
    let item = Self.item(content: field.content)
    let content = ItemContent(
      title: item.title, itemDescription: item.itemDescription, due: item.due, location: item.location, tags: item.tags,
      priority: item.priority, steps: item.steps, waitUntil: item.waitUntil, repetition: item.repetition,
      reminders: item.reminders)
    #expect(content == field.content)
  }

  @Test func item_isDone_whenItHasATimeOfCompletion() {
    #expect(!Self.item().isDone && Self.item(completedAt: Self.late).isDone)
  }

  @Test(arguments: [(nil, nil, false), (2, nil, true), (1, nil, false), (2, 1, false)] as [(Int64?, Int64?, Bool)])
  func item_waits_untilTheTime_unlessItIsDone(_ until: Int64?, _ completed: Int64?, _ waits: Bool) {
    let content = ItemContent(title: "a", waitUntil: until.map { Timestamp(microseconds: $0) })
    let item = Self.item(content: content, completedAt: completed.map { Timestamp(microseconds: $0) })
    #expect(item.isWaiting(at: Timestamp(microseconds: 1)) == waits)
  }
}
