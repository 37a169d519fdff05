import Testing
import ToDoModel

extension ServiceContract {
  static var adding: [Rule] {
    [
      Rule("add returns the stored item with its content, times and first revision") { subject async throws in
        let item = try await subject.add(.full)
        #expect(item.content == .full)
        #expect(item.createdAt == subject.clock.now())
        #expect(item.updatedAt == item.createdAt)
        #expect(!item.isDone)
        #expect(item.revision == Revision(1))
      },
      Rule("an added item can be read with all its fields") { subject async throws in
        let item = try await subject.add(.full)
        #expect(try await subject.service.item(item.id) == item)
      },
      Rule("a batch can have the greatest number of items with tags, and items with the greatest number of steps") {
        subject async throws in
        let tagged = (1...NewItem.batchLimit).map { ItemContent(title: "\($0)", tags: ["a\($0)", "b"]) }
        let added = try await subject.service.addItems(tagged.map { subject.newItem($0) }, options: SaveOptions())
        #expect(added.map(\.content) == tagged)
        let steps = (1...ItemContent.Limits.steps).map { Step("\($0)", isDone: $0 % 2 == 0) }
        let many = (1...20).map { ItemContent(title: "with steps \($0)", steps: steps) }
        let stepped = try await subject.service.addItems(many.map { subject.newItem($0) }, options: SaveOptions())
        #expect(stepped.map(\.content) == many)
      },
      Rule("reading an unknown ID fails with that ID") { subject async throws in
        let id = ItemID(high: 1, low: 2)
        await #expect(throws: ToDoError.itemNotFound(id)) { try await subject.service.item(id) }
      },
      Rule("adding an ID again with the same content returns the current item") { subject async throws in
        let new = subject.newItem(.full)
        let first = try await subject.service.addItem(new)
        #expect(try await subject.service.addItem(new) == first)

        var edit = ItemEdit()
        edit.title = "Edited since"
        _ = try await subject.service.updateItem(new.id, edit, ifRevision: nil)
        let checked = try await subject.service.checkItem(new.id, ifRevision: nil)
        #expect(try await subject.service.addItem(new) == checked)
      },
      Rule("adding an ID again with other content is a conflict") { subject async throws in
        let item = try await subject.add("Milk")
        await #expect(throws: ToDoError.itemIDConflict(item.id)) {
          try await subject.service.addItem(NewItem(id: item.id, content: ItemContent(title: "Bread")))
        }
      },
      Rule("adding the edited content with the same ID is a conflict") { subject async throws in
        let item = try await subject.add("Milk")
        var edit = ItemEdit()
        edit.title = "Bread"
        _ = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        await #expect(throws: ToDoError.itemIDConflict(item.id)) {
          try await subject.service.addItem(NewItem(id: item.id, content: ItemContent(title: "Bread")))
        }
      },
      Rule("the ID of a deleted item cannot be reused") { subject async throws in
        let new = subject.newItem(.full)
        _ = try await subject.service.addItem(new)
        _ = try await subject.service.deleteItem(new.id, ifRevision: nil)
        await #expect(throws: ToDoError.itemIDDeleted(new.id)) {
          try await subject.service.addItem(new)
        }
      },
      Rule("empty texts are equivalent to absent texts") { subject async throws in
        let item = try await subject.add(
          ItemContent(title: "Milk", itemDescription: "", location: Location(name: "Shop", address: "")))
        #expect(item.content == ItemContent(title: "Milk", location: Location(name: "Shop")))
      },
      Rule("the coordinate 0, 0 differs from no coordinate") { subject async throws in
        let nullIsland = Location(name: "Null Island", coordinate: Coordinate(latitude: 0, longitude: 0))
        let item = try await subject.add(ItemContent(title: "Swim", location: nullIsland))
        #expect(item.location?.coordinate == Coordinate(latitude: 0, longitude: 0))
        let other = try await subject.add(ItemContent(title: "Swim", location: Location(name: "Null Island")))
        #expect(other.location?.coordinate == nil)
      },
    ]
  }

  static var batches: [Rule] {
    [
      Rule("a batch adds all of its items in order with one revision") { subject async throws in
        let batch = (1...3).map { subject.newItem(ItemContent(title: "Item \($0)")) }
        let added = try await subject.service.addItems(batch)
        #expect(added.map(\.id) == batch.map(\.id))
        #expect(added.map(\.revision) == Array(repeating: Revision(1), count: 3))
        #expect(try await subject.add("Next").revision == Revision(2))
      },
      Rule("a batch with one rejected item adds no items") { subject async throws in
        let existing = try await subject.add("Milk")
        let batch = ["Bread", "Milk"].map { subject.newItem(ItemContent(title: $0)) }
        await #expect(throws: ToDoError.duplicateItem(batch[1].id, existing: existing.id)) {
          try await subject.service.addItems(batch)
        }
        #expect(try await subject.titles() == ["Milk"])
        #expect(try await subject.service.items(ItemQuery()).revision == Revision(1))
      },
      Rule("items of one batch can be duplicates of each other") { subject async throws in
        let batch = ["Milk", "Milk"].map { subject.newItem(ItemContent(title: $0)) }
        await #expect(throws: ToDoError.duplicateItem(batch[1].id, existing: batch[0].id)) {
          try await subject.service.addItems(batch)
        }
        #expect(try await subject.service.addItems(batch, options: SaveOptions(allowsDuplicate: true)).count == 2)
      },
      Rule("a batch can be retried") { subject async throws in
        let batch = (1...3).map { subject.newItem(ItemContent(title: "Item \($0)")) }
        let added = try await subject.service.addItems(batch)
        #expect(try await subject.service.addItems(batch) == added)
      },
      Rule("a batch has 1 to 500 items") { subject async throws in
        for count in [0, 501] {
          let batch = (0..<count).map { subject.newItem(ItemContent(title: "Item \($0)")) }
          await expectViolations(of: ["items"]) {
            try await subject.service.addItems(batch)
          }
        }
        let most = (0..<500).map { subject.newItem(ItemContent(title: "Item \($0)")) }
        #expect(try await subject.service.addItems(most).count == 500)
      },
      Rule("a batch has at most 3 MiB of text, so that its response fits into a message") { subject async throws in
        let text = String(repeating: "d", count: 65_536)
        func batch(_ count: Int) -> [NewItem] {
          (0..<count).map { subject.newItem(ItemContent(title: "\($0)", itemDescription: text)) }
        }
        await expectViolations(of: ["items"]) {
          try await subject.service.addItems(batch(48))
        }
        #expect(try await subject.service.addItems(batch(47)).count == 47)
      },
      Rule("a batch reports every violated field of every item") { subject async throws in
        let batch = ["", "Milk", " "].map { subject.newItem(ItemContent(title: $0)) }
        await expectViolations(of: ["items[0].title", "items[2].title"]) {
          try await subject.service.addItems(batch)
        }
      },
    ]
  }
}
