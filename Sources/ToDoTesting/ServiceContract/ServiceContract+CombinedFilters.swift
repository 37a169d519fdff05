import Testing
import ToDoModel

extension ServiceContract {
  private static func fill(_ subject: Subject) async throws {
    try await subject.add(
      ItemContent(title: "Milk", location: Location(name: "Shop"), tags: ["home"], priority: .low))
    try await subject.add(ItemContent(title: "Bread", itemDescription: "no milk", tags: ["work/a"]))
    try await subject.add(ItemContent(title: "Call", tags: ["work"], priority: .high))
    let done = try await subject.add(ItemContent(title: "Done", priority: .high))
    _ = try await subject.service.checkItem(done.id, ifRevision: nil)
  }

  private static func titles(_ subject: Subject, _ filter: ItemFilter, state: ItemState = .all)
    async throws -> [String]
  {
    try await subject.titles(ItemQuery(state: state, filter: filter, order: .created))
  }

  private static let home = ItemFilter(tags: TagFilter(all: ["home"]))
  private static let high = ItemFilter(priorities: [.high])

  /// Returns a random filter of a few fields, which some items with `randomContent` pass.
  private static func randomFilter(
    _ numbers: inout SeededGenerator, alternatives: Int = 0, exclusions: Int = 0
  ) -> ItemFilter {
    var filter = ItemFilter()
    while filter.isEmpty {
      let tag = ["a", "b", "a/b"].randomElement(using: &numbers) ?? "a"
      switch Int.random(in: 0..<9, using: &numbers) {
      case 0: filter.tags = TagFilter(all: [tag])
      case 1: filter.tags = TagFilter(none: [tag])
      case 2: filter.priorities = [.high, nil]
      case 3: filter.due = .unset
      case 4:
        filter.due = .within(DueRange(end: Timestamp(microseconds: 3_000_000), startDate: .epoch))
      case 5: filter.text = "milk"
      case 6: filter.excludedText = "milk a"
      case 7: filter.place = "shop"
      default:
        filter.wait = WaitFilter(
          at: Timestamp(microseconds: 2_000_000), isWaiting: .random(using: &numbers))
      }
    }
    filter.alternatives = (0..<alternatives).map { _ in
      let exclusions = Int.random(in: 0...1, using: &numbers)
      return randomFilter(&numbers, exclusions: exclusions)
    }
    filter.exclusions = (0..<exclusions).map { _ in randomFilter(&numbers) }
    return filter
  }

  private static func randomContent(_ numbers: inout SeededGenerator, _ number: Int) -> ItemContent {
    let words = ["milk", "bread", "a", "b"].shuffled(using: &numbers).prefix(2).joined(
      separator: " ")
    let time = Timestamp(microseconds: Int64.random(in: 1...5, using: &numbers) * 1_000_000)
    return ItemContent(
      title: "\(number) \(words)",
      due: [nil, .time(time), .date(.epoch)].randomElement(using: &numbers) ?? nil,
      location: Bool.random(using: &numbers) ? Location(name: "Shop") : nil,
      tags: [[], ["a"], ["b"], ["a/b", "b"]].randomElement(using: &numbers) ?? [],
      priority: [nil, .low, .high].randomElement(using: &numbers) ?? nil,
      waitUntil: Bool.random(using: &numbers) ? time : nil)
  }

  /// Whether an item passes a filter, by the schema's words alone.
  private static func passes(_ item: ToDoItem, _ filter: ItemFilter) -> Bool {
    func finds(_ text: String, in texts: [String?]) -> Bool {
      let texts = texts.compactMap { $0?.lowercased() }
      return text.split(separator: " ").allSatisfy { word in texts.contains { $0.contains(word) } }
    }
    let all = [
      item.title, item.content.itemDescription, item.location?.name, item.location?.address,
    ]
    return filter.due.map { $0.includes(item.due) } != false && filter.tags.includes(item.tags)
      && (filter.priorities.isEmpty || filter.priorities.contains(item.priority))
      && filter.wait.map { $0.includes(item) } != false
      && finds(filter.place, in: [item.location?.name])
      && finds(filter.text, in: all)
      && (filter.excludedText.isEmpty || !finds(filter.excludedText, in: all))
      && (filter.alternatives.isEmpty || filter.alternatives.contains { passes(item, $0) })
      && !filter.exclusions.contains { passes(item, $0) }
  }

  static var combinedFilters: [Rule] {
    [
      Rule("an item passes alternatives if it passes one of them, besides the rest of the filter") {
        subject async throws in
        try await fill(subject)
        #expect(
          try await titles(subject, ItemFilter(alternatives: [home, high])) == [
            "Milk", "Call", "Done",
          ])
        #expect(
          try await titles(subject, ItemFilter(alternatives: [home, high]), state: .toDo) == [
            "Milk", "Call",
          ])
        #expect(
          try await titles(
            subject, ItemFilter(tags: TagFilter(none: ["work"]), alternatives: [home, high])) == [
              "Milk", "Done",
            ])
        #expect(
          try await titles(subject, ItemFilter(alternatives: [ItemFilter(place: "shop")])) == ["Milk"]
        )
      },
      Rule("an item passes exclusions if it passes none of them, besides the rest of the filter") {
        subject async throws in
        try await fill(subject)
        let shop = ItemFilter(place: "shop")
        let urgentWork = ItemFilter(tags: TagFilter(all: ["work"]), priorities: [.high])
        let cases: [(ItemFilter, [String])] = [
          (ItemFilter(exclusions: [home]), ["Bread", "Call", "Done"]),
          (ItemFilter(exclusions: [home, high]), ["Bread"]),
          (ItemFilter(exclusions: [urgentWork]), ["Milk", "Bread", "Done"]),
          (ItemFilter(priorities: [.high], exclusions: [ItemFilter(text: "call")]), ["Done"]),
          (ItemFilter(alternatives: [home, high], exclusions: [shop]), ["Call", "Done"]),
          (ItemFilter(alternatives: [ItemFilter(text: "milk", exclusions: [shop]), high]), ["Bread", "Call", "Done"]),
          (ItemFilter(exclusions: [ItemFilter(due: .unset)]), []),
          (ItemFilter(exclusions: [ItemFilter(excludedText: "milk")]), ["Milk", "Bread"]),
        ]
        for (filter, expected) in cases {
          #expect(try await titles(subject, filter) == expected, "\(filter)")
        }
      },
      Rule("a filter can have words that an item contains, and words that would not find it") {
        subject async throws in
        try await fill(subject)
        #expect(try await titles(subject, ItemFilter(text: "MILK")) == ["Milk", "Bread"])
        #expect(try await titles(subject, ItemFilter(excludedText: "milk")) == ["Call", "Done"])
        #expect(
          try await titles(subject, ItemFilter(excludedText: "no milk")) == ["Milk", "Call", "Done"])
        let filter = ItemFilter(alternatives: [
          ItemFilter(text: "call"), ItemFilter(excludedText: "a"),
        ])
        #expect(try await titles(subject, filter) == ["Milk", "Call", "Done"])
        #expect(
          try await subject.titles(ItemQuery(text: "milk", filter: ItemFilter(excludedText: "bread")))
            == ["Milk"])
      },
      Rule("an invalid combination of filters is rejected with its field") { subject async throws in
        let long = String(repeating: "x", count: 1025)
        await expectViolations(of: ["filter.text", "filter.no_text"]) {
          try await titles(subject, ItemFilter(text: long, excludedText: long))
        }
        let invalid = ItemFilter(place: long, tags: TagFilter(any: ["a b"]))
        await expectViolations(of: ["filter.any_of[1].place", "filter.any_of[1].tags.any[0]"]) {
          try await titles(subject, ItemFilter(alternatives: [home, invalid]))
        }
        await expectViolations(of: ["filter.any_of[0]"]) {
          try await titles(subject, ItemFilter(alternatives: [ItemFilter()]))
        }
        await expectViolations(of: ["filter.none_of[0]", "filter.none_of[1].place"]) {
          try await titles(subject, ItemFilter(exclusions: [ItemFilter(), ItemFilter(place: long)]))
        }
        await expectViolations(of: ["filter.none_of"]) {
          try await titles(subject, ItemFilter(exclusions: Array(repeating: home, count: 5)))
        }
        let excluding = ItemFilter(exclusions: Array(repeating: home, count: 5))
        await expectViolations(of: ["filter.any_of[0].none_of"]) {
          try await titles(subject, ItemFilter(alternatives: [excluding]))
        }
        await expectViolations(of: ["filter.none_of[0].none_of"]) {
          try await titles(subject, ItemFilter(exclusions: [ItemFilter(exclusions: [home])]))
        }
        await expectViolations(of: ["filter.any_of"]) {
          try await titles(subject, ItemFilter(alternatives: Array(repeating: home, count: 9)))
        }
        #expect(
          try await titles(subject, ItemFilter(alternatives: Array(repeating: home, count: 8)))
            .isEmpty)
      },
      Rule("a page token belongs to the alternatives and exclusions of its filter") { subject async throws in
        try await fill(subject)
        let filter = ItemFilter(alternatives: [home, high])
        let page = try await subject.service.items(ItemQuery(filter: filter, pageSize: 1))
        let token = try #require(page.nextPageToken)
        let rest = try await subject.service.items(ItemQuery(filter: filter, pageToken: token))
        #expect(rest.items.map(\.title) == ["Call", "Done"])
        for other in [
          ItemFilter(alternatives: [high, home]), ItemFilter(alternatives: [home]),
          ItemFilter(text: "a"), high, ItemFilter(), ItemFilter(exclusions: [home, high]),
          ItemFilter(alternatives: [home, high], exclusions: [ItemFilter(text: "x")]),
        ] {
          await #expect(throws: ToDoError.invalidPageToken) {
            try await subject.service.items(ItemQuery(filter: other, pageSize: 1, pageToken: token))
          }
        }
      },
      Rule("random combinations of filters select what their definition says, in every order") {
        subject async throws in
        var numbers = SeededGenerator(seed: 29)
        var all: [ToDoItem] = []
        for number in 0..<40 {
          all.append(try await subject.add(randomContent(&numbers, number), allowingDuplicate: true))
        }
        for _ in 0..<30 {
          let alternatives = Int.random(in: 0...3, using: &numbers)
          let exclusions = Int.random(in: 0...2, using: &numbers)
          let filter = randomFilter(&numbers, alternatives: alternatives, exclusions: exclusions)
          let expected = all.filter { passes($0, filter) }.map(\.id)
          for order in ItemOrder.allCases {
            let pages = try await subject.pages(ItemQuery(filter: filter, order: order, pageSize: 7))
            #expect(Set(pages.map(\.id)) == Set(expected), "\(filter)")
            #expect(pages.count == expected.count)
          }
        }
      },
    ]
  }
}
