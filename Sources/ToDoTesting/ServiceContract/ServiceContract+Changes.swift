import Testing
import ToDoModel

extension ServiceContract {
  static var changes: [Rule] {
    [
      Rule("an empty list has no changes") { subject async throws in
        #expect(
          try await subject.service.changes(ChangeQuery(after: .initial))
            == ChangePage(changes: [], nextRevision: .initial, hasMore: false))
      },
      Rule("pages of changes are consecutive without gaps") { subject async throws in
        for number in 1...25 { try await subject.add("Item \(number)") }
        var pages: [ChangePage] = []
        repeat {
          let query = ChangeQuery(after: pages.last?.nextRevision ?? .initial, pageSize: 10)
          pages.append(try await subject.service.changes(query))
        } while pages.last?.hasMore == true
        #expect(pages.map(\.changes.count) == [10, 10, 5])
        let revisions = pages.flatMap { page in page.changes.map(\.revision.number) }
        #expect(revisions == Array(1...25))
        for page in pages {
          #expect(page.nextPageToken == nil)
          #expect(page.nextRevision == page.changes.last?.revision)
        }
      },
      Rule("a page of changes ends at the end of a revision and can be longer than its size") { subject async throws in
        let batch = (0..<5).map { subject.newItem(ItemContent(title: "Item \($0)")) }
        _ = try await subject.service.addItems(batch)
        try await subject.add("Milk")
        let page = try await subject.service.changes(ChangeQuery(after: .initial, pageSize: 2))
        #expect(page.changes.count == 5)
        #expect(page.nextRevision == Revision(1))
        #expect(page.hasMore)
      },
      Rule("a revision with too much text for a page is split over several pages") { subject async throws in
        let description = String(repeating: "d", count: 65_536)
        let batch = (0..<40).map {
          subject.newItem(ItemContent(title: "Item \($0)", itemDescription: description))
        }
        try await subject.add("Before")
        _ = try await subject.service.addItems(batch)
        try await subject.add("After")
        let before = try await subject.service.changes(ChangeQuery(after: .initial))
        #expect(before.changes.count == 1)
        #expect(before.hasMore)
        let first = try await subject.service.changes(ChangeQuery(after: before.nextRevision))
        #expect(first.nextRevision == before.nextRevision)
        #expect(first.hasMore)
        let token = try #require(first.nextPageToken)
        // Adds, changes and deletions of the listed items do not affect the page.
        try await subject.add("Meanwhile")
        let second = try await subject.service.changes(ChangeQuery(after: first.nextRevision, pageToken: token))
        #expect(second.nextPageToken == nil)
        let ids = (first.changes + second.changes).filter { $0.revision == Revision(2) }.map(\.id)
        #expect(ids == batch.map(\.id).sorted())
        await #expect(throws: ToDoError.invalidPageToken) {
          try await subject.service.changes(ChangeQuery(after: first.nextRevision, state: .toDo, pageToken: token))
        }
      },
      Rule("the changes of one state include items that enter and leave the state") { subject async throws in
        let item = try await subject.add("Milk")
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        let deleted = try await subject.service.deleteItem(item.id, ifRevision: nil)
        let toDo = try await subject.service.changes(ChangeQuery(after: .initial, state: .toDo))
        #expect(toDo.changes == [.put(item, .added), .put(checked, .checked)])
        #expect(toDo.nextRevision == deleted)
        let done = try await subject.service.changes(ChangeQuery(after: .initial, state: .done))
        #expect(done.changes.map(\.revision) == [checked.revision, deleted])
      },
      Rule("a page of changes that is empty after filtering still has a next revision") { subject async throws in
        for number in 1...3 { try await subject.add("Item \(number)") }
        let page = try await subject.service.changes(ChangeQuery(after: .initial, state: .done, pageSize: 2))
        #expect(page == ChangePage(changes: [], nextRevision: Revision(2), hasMore: true))
      },
      Rule("an invalid query of changes is rejected") { subject async throws in
        await expectViolations(of: ["after_revision"]) {
          try await subject.service.changes(ChangeQuery(after: Revision(-1)))
        }
        for size in [0, -1] {
          await expectViolations(of: ["page_size"]) {
            try await subject.service.changes(ChangeQuery(after: .initial, pageSize: size))
          }
        }
        await #expect(throws: ToDoError.invalidPageToken) {
          try await subject.service.changes(ChangeQuery(after: .initial, pageToken: "nonsense"))
        }
        await #expect(throws: ToDoError.revisionInFuture(current: .initial)) {
          try await subject.service.changes(ChangeQuery(after: Revision(1)))
        }
      },
    ]
  }
}
