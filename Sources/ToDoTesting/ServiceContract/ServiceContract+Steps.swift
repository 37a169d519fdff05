import Testing
import ToDoModel

extension ServiceContract {
  static var steps: [Rule] {
    [
      Rule("steps keep their order, their text and whether they are done") { subject async throws in
        let steps = [Step("Pack"), Step("Pack", isDone: true), Step(" Go \n"), Step("e\u{301}")]
        let item = try await subject.add(ItemContent(title: "Trip", steps: steps))
        #expect(item.steps == steps)
        #expect(try await subject.service.item(item.id).steps == steps)
        #expect(try await subject.service.items(ItemQuery()).items.map(\.steps) == [steps])
      },
      Rule("an edit replaces all steps, and leaves every other field") { subject async throws in
        let item = try await subject.add(.full)
        var edit = ItemEdit()
        edit.steps = [Step("Other", isDone: true)]
        var expected = item.content
        expected.steps = [Step("Other", isDone: true)]
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: item.revision).content == expected)
        (edit.steps, expected.steps) = ([], [])
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil).content == expected)
        edit = ItemEdit()
        edit.title = "Title"
        expected.title = "Title"
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil).content == expected)
      },
      Rule("the same steps are no change, and other text is one") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Trip", steps: [Step("Pack")]))
        var edit = ItemEdit()
        edit.steps = [Step("Pack")]
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil).revision == item.revision)
        edit.steps = [Step("Pack", isDone: true)]
        let checked = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(checked.revision > item.revision)
        edit.steps = [Step("Unpack", isDone: true)]
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil).revision > checked.revision)
      },
      Rule("an undo brings the steps back") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Trip", steps: [Step("Pack"), Step("Go", isDone: true)]))
        var edit = ItemEdit()
        edit.steps = []
        let edited = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        _ = try await subject.service.revertRevision(edited.revision)
        #expect(try await subject.service.item(item.id).content == item.content)
      },
      Rule("steps do not distinguish duplicates, and one of two permitted duplicates can get some") {
        subject async throws in
        let item = try await subject.add("Milk")
        let again = subject.newItem(ItemContent(title: "Milk", steps: [Step("Go")]))
        await #expect(throws: ToDoError.duplicateItem(again.id, existing: item.id)) {
          try await subject.service.addItem(again)
        }
        let second = try await subject.add(ItemContent(title: "Milk"), allowingDuplicate: true)
        var edit = ItemEdit()
        edit.steps = [Step("Go")]
        #expect(try await subject.service.updateItem(second.id, edit, ifRevision: nil).steps == [Step("Go")])
      },
      Rule("invalid steps are rejected with their fields, and so are too many") { subject async throws in
        let long = String(repeating: "é", count: ItemContent.Limits.step / 2)
        await expectViolations(of: ["item.steps[1].text", "item.steps[2].text", "item.steps[3].text"]) {
          try await subject.add(ItemContent(title: "Trip", steps: ["Go", " \n", long + "x", "a\0b"].map { Step($0) }))
        }
        let many = (0...ItemContent.Limits.steps).map { Step("\($0)") }
        await expectViolations(of: ["item.steps"]) { try await subject.add(ItemContent(title: "Trip", steps: many)) }
        #expect(try await subject.titles().isEmpty)
        let most = Array(repeating: Step(long, isDone: true), count: ItemContent.Limits.steps)
        let item = try await subject.add(ItemContent(title: "Trip", steps: most))
        #expect(item.steps == most)
        var edit = ItemEdit()
        edit.steps = [Step("")]
        await expectViolations(of: ["item.steps[0].text"]) {
          try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        }
      },
      Rule("the history describes a change of steps by those that differ") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Trip", steps: [Step("Pack"), Step("Go")]))
        var edit = ItemEdit()
        edit.steps = [Step("Pack", isDone: true), Step("Go"), Step("Rest")]
        _ = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        let page = try await subject.service.history(HistoryQuery())
        let expected = FieldChange(.steps, from: .text("0/2: [ ] Pack"), to: .text("1/3: [x] Pack; [ ] Rest"))
        #expect(page.revisions.first?.changes.first?.fields == [expected])
      },
    ]
  }
}
