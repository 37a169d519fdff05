import Testing
import ToDoModel

extension ServiceContract {
  static var duplicates: [Rule] {
    [
      Rule("a duplicate of an incomplete item is rejected with the ID of the existing item") { subject async throws in
        let existing = try await subject.add(.full)
        let again = subject.newItem(.full)
        await #expect(throws: ToDoError.duplicateItem(again.id, existing: existing.id)) {
          try await subject.service.addItem(again)
        }
      },
      Rule("a duplicate is added if the caller allows it") { subject async throws in
        try await subject.add(.full)
        try await subject.add(.full, allowingDuplicate: true)
        #expect(try await subject.titles().count == 2)
      },
      Rule("an item that differs in title, due, location or description is not a duplicate") { subject async throws in
        try await subject.add(.full)
        var others = Array(repeating: ItemContent.full, count: 5)
        others[0].title += "!"
        others[1].itemDescription = nil
        others[2].due = .date(CalendarDate(daysSinceEpoch: 20_000))
        others[3].location?.name = "Neue Pinakothek"
        others[4].location?.coordinate = Coordinate(latitude: 48.148_347_5, longitude: 11.570_083_3)
        for other in others { try await subject.add(other) }
        #expect(try await subject.titles().count == 6)
      },
      Rule("coordinates within 1e-7 degrees are the same place") { subject async throws in
        // 48.1483475 is in the middle of a fingerprint's cell; 48.148 and 11.57 are where four cells meet.
        for (latitude, longitude) in [(48.148_347_5, 11.570_083_5), (48.148, 11.57), (-33.9, -70.25)] {
          let title = "At \(latitude)"
          func content(_ latitude: Double, _ longitude: Double) -> ItemContent {
            ItemContent(
              title: title, location: Location(coordinate: Coordinate(latitude: latitude, longitude: longitude)))
          }
          let existing = try await subject.add(content(latitude, longitude))
          for (north, east) in [(1e-7, 0), (-1e-7, 0), (0, 1e-7), (0, -1e-7), (-1e-7, -1e-7)] {
            let new = subject.newItem(content(latitude + north, longitude + east))
            await #expect(throws: ToDoError.duplicateItem(new.id, existing: existing.id)) {
              try await subject.service.addItem(new)
            }
          }
        }
      },
      Rule("a done item does not make an added item a duplicate") { subject async throws in
        let done = try await subject.add(.full)
        _ = try await subject.service.checkItem(done.id, ifRevision: nil)
        try await subject.add(.full)
        #expect(try await subject.titles().count == 2)
      },
      Rule("an edited item is compared by its current content") { subject async throws in
        let item = try await subject.add("Milk")
        var edit = ItemEdit()
        edit.title = "Bread"
        _ = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        try await subject.add("Milk")
        await #expect(throws: ToDoError.self) { try await subject.add("Bread") }
      },
      Rule("an edit or an uncheck that would duplicate an incomplete item is rejected") { subject async throws in
        let milk = try await subject.add(ItemContent(title: "Milk"))
        let bread = try await subject.add(ItemContent(title: "Bread"))
        var edit = ItemEdit()
        edit.title = "Milk"
        await #expect(throws: ToDoError.duplicateItem(bread.id, existing: milk.id)) {
          try await subject.service.updateItem(bread.id, edit, ifRevision: nil)
        }
        _ = try await subject.service.checkItem(bread.id, ifRevision: nil)
        // A done item duplicates nothing.
        _ = try await subject.service.updateItem(bread.id, edit, ifRevision: nil)
        await #expect(throws: ToDoError.duplicateItem(bread.id, existing: milk.id)) {
          try await subject.service.uncheckItem(bread.id, ifRevision: nil)
        }
        #expect(try await subject.service.item(bread.id).isDone)
        let unchecked = try await subject.service.uncheckItem(bread.id, ifRevision: nil, allowingDuplicate: true)
        #expect(!unchecked.isDone)
      },
      Rule("an edit may make a duplicate if the caller allows it, or leave one") { subject async throws in
        let milk = try await subject.add(ItemContent(title: "Milk"))
        let bread = try await subject.add(ItemContent(title: "Bread"))
        var edit = ItemEdit()
        edit.title = "Milk"
        let edited = try await subject.service.updateItem(
          bread.id, edit, ifRevision: nil, options: SaveOptions(allowsDuplicate: true))
        #expect(edited.title == "Milk")
        // The edit changes nothing, and a later one makes the item differ.
        #expect(try await subject.service.updateItem(milk.id, edit, ifRevision: nil) == milk)
        edit.itemDescription = .set("Oat")
        #expect(try await subject.service.updateItem(milk.id, edit, ifRevision: nil).itemDescription == "Oat")
      },
    ]
  }
}
