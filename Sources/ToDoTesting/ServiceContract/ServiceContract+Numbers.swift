import Testing
import ToDoModel

extension ServiceContract {
  static var numbers: [Rule] {
    [
      Rule("items are numbered in the order in which they are added, and a batch in its own order") {
        subject async throws in
        let first = try await subject.add("Milk")
        let batch = ["Tea", "Bread"].map { subject.newItem(ItemContent(title: $0)) }
        let added = try await subject.service.addItems(batch)
        #expect(([first] + added).map(\.number.value) == [1, 2, 3])
        #expect(try await subject.service.item(added[1].id).number == ItemNumber(3))
      },
      Rule("a retry, an edit and a check keep the number of an item") { subject async throws in
        let item = subject.newItem(ItemContent(title: "Milk"))
        _ = try await subject.service.addItem(item)
        #expect(try await subject.service.addItem(item).number == ItemNumber(1))
        var edit = ItemEdit()
        edit.title = "Oat milk"
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil).number == ItemNumber(1))
        #expect(try await subject.service.checkItem(item.id, ifRevision: nil).number == ItemNumber(1))
        #expect(try await subject.add("Tea").number == ItemNumber(2))
      },
      Rule("a rejected item gets no number, and a deleted item's number is not reused") { subject async throws in
        let milk = try await subject.add("Milk")
        await #expect(throws: ToDoError.self) { try await subject.add("Milk") }
        let tea = try await subject.add("Tea")
        #expect(tea.number == ItemNumber(2))
        for item in [milk, tea] { _ = try await subject.service.deleteItem(item.id, ifRevision: nil) }
        #expect(try await subject.add("Bread").number == ItemNumber(3))
      },
      Rule("a listing by numbers contains the items that exist, once, in the requested order") { subject async throws in
        for title in ["a", "b", "c"] { try await subject.add(title) }
        let numbers = [3, 1, 3, 7].map { ItemNumber($0) }
        #expect(try await subject.titles(ItemQuery(numbers: numbers)) == ["a", "c"])
        #expect(try await subject.titles(ItemQuery(numbers: numbers, order: .updated)) == ["c", "a"])
        #expect(try await subject.titles(ItemQuery(text: "C", numbers: numbers)) == ["c"])
        let page = try await subject.service.items(ItemQuery(numbers: numbers, pageSize: 1))
        #expect(page.items.map(\.title) == ["a"])
        let next = ItemQuery(numbers: numbers, pageSize: 1, pageToken: page.nextPageToken)
        #expect(try await subject.titles(next) == ["c"])
        let other = ItemQuery(numbers: [ItemNumber(1)], pageSize: 1, pageToken: page.nextPageToken)
        await #expect(throws: ToDoError.invalidPageToken) { try await subject.service.items(other) }
      },
      Rule("a listing takes at most 500 numbers, each at least 1") { subject async throws in
        try await subject.add("a")
        let many = (1...501).map { ItemNumber(Int64($0)) }
        #expect(try await subject.titles(ItemQuery(numbers: Array(many.prefix(500)))) == ["a"])
        await expectViolations(of: ["numbers"]) { try await subject.service.items(ItemQuery(numbers: many)) }
        await expectViolations(of: ["numbers[1]", "numbers[2]"]) {
          try await subject.service.items(ItemQuery(numbers: [1, 0, -1].map { ItemNumber($0) }))
        }
      },
    ]
  }
}
