import Testing
import ToDoModel
import ToDoRPC

@testable import ToDoClient

@Suite struct ReceiveBudgetTests {
  @Test func add_whenPageTokenRepeats_throws() throws {
    var pages = PageSequence()
    try pages.add([], nextPageToken: "a")
    try pages.add([], nextPageToken: "b")
    let error = #expect(throws: RPCError.self) { try pages.add([], nextPageToken: "a") }
    #expect(error?.message.contains("next_page_token") == true)
  }

  @Test(arguments: [0, 1, 1000])
  func add_whenPagesNeverEnd_throws(_ count: Int) {
    var pages = PageSequence(limit: 1 << 20)
    let items = (0..<count).map { sample($0, at: 1) }
    var accepted = 0
    while (try? pages.add(items, nextPageToken: "\(accepted)")) != nil, accepted < 1000 { accepted += 1 }
    #expect(accepted < 100)
  }

  @Test func add_whenListHasAHundredThousandLongItems_accepts() throws {
    var pages = PageSequence()
    let items = (0..<1000).map { sample($0, at: 1, title: String(repeating: "t", count: 1024)) }
    for number in 0..<100 { try pages.add(items, nextPageToken: "\(number)") }
  }

  // MARK: Pages and their requests

  @Test func itemPage_whenTooLargeOrItsTokenRepeats_isRejected() throws {
    let page = ItemPage(items: [sample(1, at: 1), sample(2, at: 1)], nextPageToken: "t", revision: Revision(1))
    _ = try page.checked(for: ItemQuery(pageSize: 2))
    #expect(throws: RPCError.self) { try page.checked(for: ItemQuery(pageSize: 1)) }
    #expect(throws: RPCError.self) { try page.checked(for: ItemQuery(pageToken: "t")) }
  }

  @Test(arguments: [
    (ChangePage(changes: [], nextRevision: Revision(2), hasMore: false), false),
    (ChangePage(changes: [], nextRevision: Revision(3), hasMore: false), true),
    (ChangePage(changes: [], nextRevision: Revision(3), hasMore: true), false),
    (ChangePage(changes: [], nextRevision: Revision(4), hasMore: true), true),
    (ChangePage(changes: [], nextRevision: Revision(3), hasMore: true, nextPageToken: "u"), true),
    (ChangePage(changes: [.put(sample(1, at: 3), .edited)], nextRevision: Revision(4), hasMore: false), false),
  ])
  func changePage_whenItDoesNotAdvance_isRejected(_ page: ChangePage, _ isAccepted: Bool) {
    let isChecked = (try? page.checked(for: ChangeQuery(after: Revision(3)))) != nil
    #expect(isChecked == isAccepted)
  }

  @Test func items_whenTheyDifferFromTheRequest_areRejected() {
    let (one, other) = (sample(1, at: 1), sample(2, at: 1))
    #expect(throws: Never.self) { try one.checked(is: one.id) }
    #expect(throws: RPCError.self) { try one.checked(is: other.id) }
    let added = [one, other].map { NewItem(id: $0.id, content: $0.content) }
    #expect(throws: Never.self) { try [one, other].checked(are: added) }
    #expect(throws: RPCError.self) { try [other, one].checked(are: added) }
    #expect(throws: RPCError.self) { try [one].checked(are: added) }
  }

  @Test func geocodeResult_whenItExceedsTheLimit_isRejected() throws {
    let coordinate = try #require(Coordinate(latitude: 0, longitude: 0))
    let candidate = GeocodeCandidate(coordinate: coordinate, displayName: "a", granularity: .house, source: "s")
    let result = GeocodeResult(candidates: [candidate, candidate], attribution: "")
    #expect(throws: Never.self) { try result.checked(for: GeocodeQuery(address: "a", limit: 2)) }
    #expect(throws: RPCError.self) { try result.checked(for: GeocodeQuery(address: "a", limit: 1)) }
  }
}
