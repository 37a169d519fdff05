import Testing
import ToDoModel

extension ServiceContract {
  private static func fill(_ subject: Subject) async throws {
    try await subject.add(ItemContent(title: "both", tags: ["Work/Urgent", "home"], priority: .high))
    try await subject.add(ItemContent(title: "home", tags: ["home"], priority: .low))
    try await subject.add("plain")
    let done = try await subject.add(ItemContent(title: "done", tags: ["work"]))
    _ = try await subject.service.checkItem(done.id, ifRevision: nil)
  }

  private static func titles(_ subject: Subject, _ tags: TagFilter, _ priorities: Set<Priority?> = []) async throws
    -> [String]
  {
    try await subject.titles(ItemQuery(filter: ItemFilter(tags: tags, priorities: priorities)))
  }

  static var tags: [Rule] {
    [
      Rule("tags keep their order and case, and a repeated tag is removed") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Milk", tags: ["Shop", "errands", "SHOP", "errands/food"]))
        #expect(item.tags == ["Shop", "errands", "errands/food"])
        #expect(try await subject.service.item(item.id).tags == item.tags)
      },
      Rule("an edit replaces all tags, or the priority, and leaves the other") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Milk", tags: ["a", "b"], priority: .low))
        var edit = ItemEdit()
        edit.tags = ["c"]
        let tagged = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect((tagged.tags, tagged.priority) == (["c"], .low))
        edit = ItemEdit()
        edit.priority = .set(.high)
        let raised = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect((raised.tags, raised.priority) == (["c"], .high))
        (edit.tags, edit.priority) = ([], .clear)
        let bare = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect((bare.tags, bare.priority) == ([], nil))
      },
      Rule("an undo brings tags and priority back") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Milk", tags: ["a"], priority: .high))
        var edit = ItemEdit()
        (edit.tags, edit.priority) = ([], .clear)
        let edited = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        _ = try await subject.service.revertRevision(edited.revision)
        #expect(try await subject.service.item(item.id).content == item.content)
      },
      Rule("neither tags nor priority distinguish duplicates") { subject async throws in
        let item = try await subject.add("Milk")
        let again = subject.newItem(ItemContent(title: "Milk", tags: ["a"], priority: .low))
        await #expect(throws: ToDoError.duplicateItem(again.id, existing: item.id)) {
          try await subject.service.addItem(again)
        }
      },
      Rule("one of two permitted duplicates can get tags and a priority") { subject async throws in
        try await subject.add("Milk")
        let second = try await subject.add(ItemContent(title: "Milk"), allowingDuplicate: true)
        var edit = ItemEdit()
        (edit.tags, edit.priority) = (["shop"], .set(.high))
        #expect(try await subject.service.updateItem(second.id, edit, ifRevision: nil).tags == ["shop"])
        edit.title = "Milk "
        _ = try await subject.service.updateItem(second.id, edit, ifRevision: nil)
        edit.title = "Milk"
        await #expect(throws: ToDoError.self) { try await subject.service.updateItem(second.id, edit, ifRevision: nil) }
      },
      Rule("invalid tags are rejected with their fields, and so are too many") { subject async throws in
        await expectViolations(of: ["item.tags[1]", "item.tags[2]"]) {
          try await subject.add(ItemContent(title: "Milk", tags: ["a", "a b", ""]))
        }
        let many = (0...ItemContent.Limits.tags).map { "t\($0)" }
        await expectViolations(of: ["item.tags"]) { try await subject.add(ItemContent(title: "Milk", tags: many)) }
        #expect(try await subject.titles().isEmpty)
        let most = try await subject.add(ItemContent(title: "Milk", tags: Array(many.dropLast())))
        #expect(most.tags.count == ItemContent.Limits.tags)
      },
      Rule("a listing can be limited to tags, to those below them, and to items without them") { subject async throws in
        try await fill(subject)
        #expect(try await titles(subject, TagFilter(all: ["work"])) == ["both", "done"])
        #expect(try await titles(subject, TagFilter(all: ["HOME", "work/urgent"])) == ["both"])
        #expect(try await titles(subject, TagFilter(all: ["wor"])).isEmpty)
        #expect(try await titles(subject, TagFilter(any: ["home", "work"])) == ["both", "home", "done"])
        #expect(try await titles(subject, TagFilter(none: ["home"])) == ["plain", "done"])
        #expect(try await titles(subject, TagFilter(all: ["home"], none: ["work"])) == ["home"])
      },
      Rule("a listing can be limited to priorities, and to items without one") { subject async throws in
        try await fill(subject)
        #expect(try await titles(subject, TagFilter(), [.high]) == ["both"])
        #expect(try await titles(subject, TagFilter(), [.low, .high]) == ["both", "home"])
        #expect(try await titles(subject, TagFilter(), [nil]) == ["plain", "done"])
        #expect(try await titles(subject, TagFilter(all: ["work"]), [nil]) == ["done"])
      },
      Rule("an invalid filter of tags is rejected, and a page token belongs to its filter") { subject async throws in
        try await fill(subject)
        await expectViolations(of: ["filter.tags.all[0]"]) { try await titles(subject, TagFilter(all: ["a b"])) }
        let many = (0...ItemContent.Limits.tags).map { "t\($0)" }
        await expectViolations(of: ["filter.tags.none"]) { try await titles(subject, TagFilter(none: many)) }
        let filter = ItemFilter(tags: TagFilter(any: ["home", "work"]), priorities: [.low, .high])
        var query = ItemQuery(filter: filter, pageSize: 1)
        let token: String = try #require(try await subject.service.items(query).nextPageToken)
        query.pageToken = token
        #expect(try await subject.titles(query) == ["home"])
        query.filter.priorities = [.high]
        await #expect(throws: ToDoError.invalidPageToken) { try await subject.service.items(query) }
      },
    ]
  }
}
