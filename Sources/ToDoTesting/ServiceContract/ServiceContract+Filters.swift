import Testing
import ToDoModel

extension ServiceContract {
  /// The items of these rules, in the order of the list. Day 20,600 begins at 1,779,840,000 s.
  private static func fill(_ subject: Subject) async throws {
    try await subject.add("time 1", due: .time(Timestamp(microseconds: 1_779_839_999_999_999)))
    try await subject.add("time 2", due: .time(Timestamp(microseconds: 1_779_840_000_000_000)))
    try await subject.add("day 1", due: .date(CalendarDate(daysSinceEpoch: 20_600)))
    try await subject.add("day 2", due: .date(CalendarDate(daysSinceEpoch: 20_601)))
    try await subject.add(
      ItemContent(
        title: "never",
        location: Location(
          name: "Öffentliche Bücherei", address: "Main Street 1", coordinate: Coordinate(latitude: 1, longitude: 2))))
    let done = try await subject.add("done", due: .date(CalendarDate(daysSinceEpoch: 20_601)))
    _ = try await subject.service.checkItem(done.id, ifRevision: nil)
  }

  private static func query(
    _ range: DueRange, state: ItemState = .all, text: String = "", pageSize: Int? = nil
  ) -> ItemQuery {
    ItemQuery(state: state, text: text, filter: ItemFilter(due: .within(range)), pageSize: pageSize)
  }

  static var filters: [Rule] {
    [
      Rule("a listing can be limited to items without a due date") { subject async throws in
        try await fill(subject)
        for order in ItemOrder.allCases {
          #expect(try await subject.titles(ItemQuery(filter: ItemFilter(due: .unset), order: order)) == ["never"])
        }
      },
      Rule("a listing can be limited to a range of due times and a range of due dates") { subject async throws in
        try await fill(subject)
        let time = Timestamp(microseconds: 1_779_840_000_000_000)
        let day = CalendarDate(daysSinceEpoch: 20_601)
        #expect(try await subject.titles(query(DueRange(start: time, startDate: day))) == ["time 2", "day 2", "done"])
        #expect(try await subject.titles(query(DueRange(end: time, endDate: day))) == ["time 1", "day 1"])
        #expect(
          try await subject.titles(query(DueRange(start: time, end: time, startDate: day, endDate: day))).isEmpty)
        // Without a bound for dates, every date is in the range.
        #expect(try await subject.titles(query(DueRange(end: time))) == ["time 1", "day 1", "day 2", "done"])
        #expect(try await subject.titles(query(DueRange(startDate: day))) == ["time 1", "time 2", "day 2", "done"])
        #expect(try await subject.titles(query(DueRange())).count == 5)
      },
      Rule("filters apply together, in every order, and to every page") { subject async throws in
        try await fill(subject)
        let range = DueRange(end: Timestamp(microseconds: 0), startDate: CalendarDate(daysSinceEpoch: 20_600))
        #expect(try await subject.titles(query(range, state: .toDo)) == ["day 1", "day 2"])
        #expect(try await subject.titles(query(range, state: .done)) == ["done"])
        #expect(try await subject.titles(query(range, text: "2")) == ["day 2"])
        for order in ItemOrder.allCases {
          var query = query(range, pageSize: 1)
          query.order = order
          let all = try await subject.pages(query)
          #expect(Set(all.map(\.title)) == ["day 1", "day 2", "done"])
          #expect(all.count == 3)
        }
      },
      Rule("a listing can be limited to the words of a place, in any order") { subject async throws in
        try await fill(subject)
        try await subject.add("Main Street")
        for place in ["bücherei", "MAIN street 1", "öffentliche", "street main", "Bucherei"] {
          #expect(try await subject.titles(ItemQuery(filter: ItemFilter(place: place))) == ["never"])
        }
        #expect(try await subject.titles(ItemQuery(text: "nev", filter: ItemFilter(place: "main"))) == ["never"])
        #expect(try await subject.titles(ItemQuery(text: "day", filter: ItemFilter(place: "main"))).isEmpty)
      },
      Rule("filters apply to numbers and deleted items, too") { subject async throws in
        try await fill(subject)
        let range = DueRange(end: Timestamp(microseconds: 0), startDate: CalendarDate(daysSinceEpoch: 20_601))
        var query = query(range)
        query.numbers = [1, 4, 6].map { ItemNumber($0) }
        #expect(try await subject.titles(query) == ["day 2", "done"])
        _ = try await subject.service.deleteItems(.all)
        query.numbers = []
        query.deleted = .only
        #expect(Set(try await subject.titles(query)) == ["day 2", "done"])
      },
      Rule("an invalid filter is rejected") { subject async throws in
        let (time, day) = (Timestamp(microseconds: 0), CalendarDate(daysSinceEpoch: 0))
        let range = DueRange(
          start: Timestamp(microseconds: 1), end: time, startDate: CalendarDate(daysSinceEpoch: 1), endDate: day)
        await expectViolations(of: ["filter.due.range.end_time", "filter.due.range.end_date"]) {
          try await subject.titles(query(range))
        }
        await expectViolations(of: ["filter.place"]) {
          try await subject.titles(ItemQuery(filter: ItemFilter(place: String(repeating: "p", count: 1025))))
        }
      },
      Rule("a page token belongs to its filter") { subject async throws in
        try await fill(subject)
        let page = try await subject.service.items(query(DueRange(), pageSize: 1))
        let token = try #require(page.nextPageToken)
        for filter in [ItemFilter(), ItemFilter(due: .unset), ItemFilter(due: .within(DueRange()), place: "x")] {
          await #expect(throws: ToDoError.invalidPageToken) {
            try await subject.service.items(ItemQuery(filter: filter, pageSize: 1, pageToken: token))
          }
        }
      },
    ]
  }
}
