import Testing
import ToDoModel

extension ServiceContract {
  static var validation: [Rule] {
    [
      Rule("all violated fields are reported in one error") { subject async throws in
        let content = ItemContent(
          title: " \n\t",
          itemDescription: String(repeating: "x", count: 65_537),
          due: .time(Timestamp(microseconds: 253_402_300_800_000_000)),
          location: Location(
            name: String(repeating: "n", count: 1025), address: String(repeating: "a", count: 1025)))
        await expectViolations(of: [
          "item.title", "item.description", "item.due_time", "item.location.name", "item.location.address",
        ]) { try await subject.add(content) }
        #expect(try await subject.titles().isEmpty)
      },
      Rule("a location needs a name, an address or a coordinate") { subject async throws in
        await expectViolations(of: ["item.location"]) {
          try await subject.add(ItemContent(title: "Milk", location: Location()))
        }
      },
      Rule("sizes are counted in bytes of UTF-8, and the maximum is accepted") { subject async throws in
        await expectViolations(of: ["item.title"]) { try await subject.add(String(repeating: "é", count: 513)) }
        let text = String(repeating: "é", count: 512)
        #expect(try await subject.add(text).title == text)
        let description = String(repeating: "d", count: 65_536)
        let item = try await subject.add(ItemContent(title: "Long", itemDescription: description))
        #expect(item.itemDescription == description)
      },
      Rule("the character NUL is rejected in every text") { subject async throws in
        await expectViolations(of: ["item.title", "item.description", "item.location.name"]) {
          try await subject.add(
            ItemContent(title: "a\0b", itemDescription: "\0", location: Location(name: "\0")))
        }
      },
      Rule("a title preserves leading and trailing blanks") { subject async throws in
        #expect(try await subject.add("  Milk ").title == "  Milk ")
      },
    ]
  }

  static var listing: [Rule] {
    [
      Rule("incomplete items are ordered by due date (none last) and creation, and a day follows its times") {
        subject async throws in
        let day = CalendarDate(daysSinceEpoch: 20_600)
        try await subject.add("no due, first")
        try await subject.add("on the day", due: .date(day))
        try await subject.add("no due, second")
        try await subject.add(
          "in the evening", due: .time(Timestamp(microseconds: 20_600 * 86_400_000_000 + 72_000_000_000)))
        try await subject.add("the day before", due: .date(CalendarDate(daysSinceEpoch: 20_599)))
        #expect(
          try await subject.titles()
            == ["the day before", "in the evening", "on the day", "no due, first", "no due, second"])
      },
      Rule("done items follow incomplete items, the most recently completed first") { subject async throws in
        var items: [ToDoItem] = []
        for title in ["a", "b", "c", "d"] { items.append(try await subject.add(title)) }
        for index in [2, 0, 1] {
          subject.clock.advance(by: .seconds(1))
          _ = try await subject.service.checkItem(items[index].id, ifRevision: nil)
        }
        #expect(try await subject.titles() == ["d", "b", "a", "c"])
        #expect(try await subject.titles(ItemQuery(state: .toDo)) == ["d"])
        #expect(try await subject.titles(ItemQuery(state: .done)) == ["b", "a", "c"])
      },
      Rule("items can be ordered by creation or by last change") { subject async throws in
        var items: [ToDoItem] = []
        for title in ["a", "b", "c"] { items.append(try await subject.add(title)) }
        _ = try await subject.service.checkItem(items[1].id, ifRevision: nil)
        #expect(try await subject.titles(ItemQuery(order: .created)) == ["a", "b", "c"])
        #expect(try await subject.titles(ItemQuery(order: .updated)) == ["b", "c", "a"])
      },
      Rule("a text filter searches title, description, place and address, ignoring case") { subject async throws in
        try await subject.add(ItemContent(title: "Käse KAUFEN"))
        try await subject.add(ItemContent(title: "b", itemDescription: "to kaufen"))
        try await subject.add(ItemContent(title: "c", location: Location(name: "Kaufhaus, kaufen")))
        subject.geocoder.setAnswers([.alte], for: "Kaufen-Str. 1")
        try await subject.add(ItemContent(title: "d", location: Location(address: "Kaufen-Str. 1")))
        try await subject.add(ItemContent(title: "e"))
        #expect(try await subject.titles(ItemQuery(text: "kAufen")).count == 4)
        #expect(try await subject.titles(ItemQuery(text: "käse")) == ["Käse KAUFEN"])
        #expect(try await subject.titles(ItemQuery(text: "100%")).isEmpty)
      },
      Rule("a text filter finds words in any order, ignoring accents") { subject async throws in
        for title in ["Buy milk", "Milk the cow", "Un café, bitte", "buy oat milk"] { try await subject.add(title) }
        #expect(Set(try await subject.titles(ItemQuery(text: "milk BUY"))) == ["Buy milk", "buy oat milk"])
        #expect(try await subject.titles(ItemQuery(text: "milk buy oat")) == ["buy oat milk"])
        #expect(try await subject.titles(ItemQuery(text: "cafe")) == ["Un café, bitte"])
        #expect(try await subject.titles(ItemQuery(text: "MÏLK thé")) == ["Milk the cow"])
      },
      Rule("pages of any size contain the whole list and each item once") { subject async throws in
        for index in 0..<7 {
          let item = try await subject.add(
            "\(index)", due: index % 2 == 0 ? .date(CalendarDate(daysSinceEpoch: 1)) : nil)
          if index % 3 == 0 { _ = try await subject.service.checkItem(item.id, ifRevision: nil) }
        }
        for order in ItemOrder.allCases {
          let whole = try await subject.service.items(ItemQuery(order: order))
          #expect(whole.nextPageToken == nil)
          for size in 1...8 {
            var query = ItemQuery(order: order, pageSize: size)
            var items: [ToDoItem] = []
            repeat {
              let page = try await subject.service.items(query)
              #expect(page.items.count <= size)
              items += page.items
              query.pageToken = page.nextPageToken
            } while query.pageToken != nil
            #expect(items == whole.items)
          }
        }
      },
      Rule("a page ends before a done item that would exceed the limit of done items") { subject async throws in
        for title in ["a", "b", "c", "d", "e"] {
          let item = try await subject.add(title)
          subject.clock.advance(by: .seconds(1))
          if title > "b" { _ = try await subject.service.checkItem(item.id, ifRevision: nil) }
        }
        var query = ItemQuery(doneLimit: 2)
        let page = try await subject.service.items(query)
        #expect(page.items.map(\.title) == ["a", "b", "e", "d"])
        let token: String = try #require(page.nextPageToken)
        (query.pageToken, query.doneLimit) = (token, 1)
        #expect(try await subject.service.items(query).items.map(\.title) == ["c"])
        #expect(try await subject.service.items(query).nextPageToken == nil)
        #expect(try await subject.titles(ItemQuery(state: .done, doneLimit: 1)) == ["e"])
        #expect(try await subject.titles(ItemQuery(text: "d", doneLimit: 1)) == ["d"])
        await expectViolations(of: ["done_limit"]) { try await subject.service.items(ItemQuery(doneLimit: -1)) }
      },
      Rule("a page has 100 items by default and 1,000 at most") { subject async throws in
        for _ in 0..<3 {
          let batch = (0..<400).map { _ in subject.newItem(ItemContent(title: "x")) }
          _ = try await subject.service.addItems(batch, options: SaveOptions(allowsDuplicate: true))
        }
        #expect(try await subject.service.items(ItemQuery()).items.count == 100)
        #expect(try await subject.service.items(ItemQuery(pageSize: 5000)).items.count == 1000)
      },
      Rule("a page has at most 2 MiB of text, so that it fits into a message") { subject async throws in
        let description = String(repeating: "d", count: 65_536)
        for _ in 0..<2 {
          let batch = (0..<40).map { subject.newItem(ItemContent(title: "\($0)", itemDescription: description)) }
          _ = try await subject.service.addItems(batch, options: SaveOptions(allowsDuplicate: true))
        }
        var query = ItemQuery(order: .created)
        var sizes: [Int] = []
        repeat {
          let page = try await subject.service.items(query)
          sizes.append(page.items.count)
          query.pageToken = page.nextPageToken
        } while query.pageToken != nil
        #expect(sizes == [31, 31, 18])
      },
      Rule("a listing has the list's revision") { subject async throws in
        #expect(try await subject.service.items(ItemQuery()).revision == .initial)
        try await subject.add("a")
        try await subject.add("b")
        #expect(try await subject.service.items(ItemQuery(text: "a")).revision == Revision(2))
      },
      Rule("an invalid page size and a text that is too long are reported together") { subject async throws in
        await expectViolations(of: ["page_size", "text"]) {
          try await subject.service.items(ItemQuery(text: String(repeating: "x", count: 1025), pageSize: -1))
        }
      },
      Rule("a page token that was altered or belongs to another query is rejected") { subject async throws in
        for title in ["a", "b", "c"] { try await subject.add(title) }
        let query = ItemQuery(pageSize: 1)
        let token = try #require(try await subject.service.items(query).nextPageToken)
        var strangers = ["x", "!", String(token.dropLast()), token + "A", token.lowercased()]
        for offset in [0, 10, 30, token.count - 1] {
          var characters = Array(token)
          characters[offset] = characters[offset] == "A" ? "B" : "A"
          strangers.append(String(characters))
        }
        for stranger in strangers where stranger != token {
          await #expect(throws: ToDoError.invalidPageToken) {
            try await subject.service.items(ItemQuery(pageSize: 1, pageToken: stranger))
          }
        }
        for other in [ItemQuery(state: .toDo), ItemQuery(text: "a"), ItemQuery(order: .created)] {
          var other = other
          other.pageToken = token
          await #expect(throws: ToDoError.invalidPageToken) { try await subject.service.items(other) }
        }
        #expect(try await subject.titles(ItemQuery(pageSize: 2, pageToken: token)) == ["b", "c"])
      },
    ]
  }
}
