import Testing
import ToDoModel

extension ServiceContract {
  private static let times = (0...3).map { Timestamp(microseconds: 1_770_000_000_000_000 + $0) }

  private static func fill(_ subject: Subject) async throws {
    for (number, time) in times.enumerated() {
      try await subject.add(ItemContent(title: "until \(number)", waitUntil: time))
    }
    try await subject.add("plain")
    let done = try await subject.add(ItemContent(title: "done", waitUntil: times[3]))
    _ = try await subject.service.checkItem(done.id, ifRevision: nil)
  }

  private static func titles(_ subject: Subject, at time: Timestamp, isWaiting: Bool) async throws -> [String] {
    try await subject.titles(ItemQuery(filter: ItemFilter(wait: WaitFilter(at: time, isWaiting: isWaiting))))
  }

  static var waiting: [Rule] {
    [
      Rule("the time until which an item waits is kept, changed and cleared") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Milk", waitUntil: times[1]))
        #expect(item.waitUntil == times[1])
        #expect(try await subject.service.item(item.id).waitUntil == times[1])
        var edit = ItemEdit()
        edit.waitUntil = .set(times[2])
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil).waitUntil == times[2])
        edit.waitUntil = .clear
        let cleared = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(cleared.waitUntil == nil)
        _ = try await subject.service.revertRevision(cleared.revision)
        #expect(try await subject.service.item(item.id).waitUntil == times[2])
        let fields = try await subject.service.history(HistoryQuery()).revisions[1].changes.first?.fields
        #expect(fields == [FieldChange(.waitUntil, from: .due(.time(times[2])), to: nil)])
      },
      Rule("waiting does not distinguish duplicates") { subject async throws in
        let item = try await subject.add("Milk")
        let again = subject.newItem(ItemContent(title: "Milk", waitUntil: times[0]))
        await #expect(throws: ToDoError.duplicateItem(again.id, existing: item.id)) {
          try await subject.service.addItem(again)
        }
      },
      Rule("a time outside of the years 1 to 9999 is rejected") { subject async throws in
        let bounds = Timestamp.supportedRange
        #expect(
          try await subject.add(ItemContent(title: "a", waitUntil: bounds.lowerBound)).waitUntil == bounds.lowerBound)
        #expect(
          try await subject.add(ItemContent(title: "b", waitUntil: bounds.upperBound)).waitUntil == bounds.upperBound)
        let outside = [bounds.lowerBound, bounds.upperBound].map(\.microseconds)
        for microseconds in [outside[0] - 1, outside[1] + 1] {
          await expectViolations(of: ["item.wait_time"]) {
            try await subject.add(ItemContent(title: "c", waitUntil: Timestamp(microseconds: microseconds)))
          }
        }
      },
      Rule("a listing can be limited to items that wait at a time, and to those that do not") { subject async throws in
        try await fill(subject)
        #expect(try await titles(subject, at: times[1], isWaiting: true) == ["until 2", "until 3"])
        #expect(try await titles(subject, at: times[1], isWaiting: false) == ["until 0", "until 1", "plain", "done"])
        #expect(try await titles(subject, at: times[3], isWaiting: true).isEmpty)
        #expect(try await titles(subject, at: times[3], isWaiting: false).count == 6)
      },
      Rule("a filter by waiting combines with others, and a page token belongs to it") { subject async throws in
        try await fill(subject)
        try await subject.add(ItemContent(title: "tagged", tags: ["a"], waitUntil: times[3]))
        var query = ItemQuery(filter: ItemFilter(wait: WaitFilter(at: times[0], isWaiting: true)), pageSize: 1)
        #expect(try await subject.titles(query) == ["until 1"])
        let token: String = try #require(try await subject.service.items(query).nextPageToken)
        query.pageToken = token
        #expect(try await subject.titles(query) == ["until 2"])
        query.filter.wait?.time = times[1]
        await #expect(throws: ToDoError.invalidPageToken) { try await subject.service.items(query) }
        query = ItemQuery(
          filter: ItemFilter(tags: TagFilter(all: ["a"]), wait: WaitFilter(at: times[0], isWaiting: true)))
        #expect(try await subject.titles(query) == ["tagged"])
        query.filter.wait?.isWaiting = false
        #expect(try await subject.titles(query).isEmpty)
      },
    ]
  }
}
