import Testing
import ToDoModel
import ToDoRPC
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Tests with services whose pages never end, or whose distances are invalid.
@Suite(.unitTimeLimited) struct EndlessPagesTests {
  private static let item = ToDoItem(
    id: ItemID(high: 1, low: 1), number: ItemNumber(1), content: ItemContent(title: "Milk"),
    createdAt: Timestamp(microseconds: 0),
    updatedAt: Timestamp(microseconds: 0), revision: Revision(1))

  @Test func allItems_whenPageTokenRepeats_throws() async {
    let service = FailingService(listing: { _ in
      ItemPage(items: [], nextPageToken: "again", revision: Revision(1))
    })
    let error = await #expect(throws: RPCError.self) { try await service.allItems() }
    #expect(error?.isMalformedResponse == true)
  }

  @Test(arguments: [[], [item]])
  func allItems_whenPagesNeverEnd_throws(_ items: [ToDoItem]) async {
    let service = FailingService(listing: { query in
      let number = query.pageToken.flatMap { Int($0) } ?? 0
      return ItemPage(items: items, nextPageToken: "\(number + 1)", revision: Revision(1))
    })
    let error = await #expect(throws: RPCError.self) { try await service.allItems() }
    #expect(error?.isMalformedResponse == true)
  }

  @Test func near_whenPagesNeverEnd_fails() async {
    let service = FailingService(nearby: { _ in NearbyPage(items: [], nextPageToken: "again") })
    let run = await TestBench(service: service).run("near 48.1374,11.5755")
    #expect(run.status == .failure)
    #expect(run.error.contains("the server sent a malformed response: next_page_token"))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1])
  func near_whenDistanceIsInvalid_printsQuestionMark(_ distance: Double) async {
    let service = FailingService(
      listing: { _ in ItemPage(items: [Self.item], revision: Revision(1)) },
      nearby: { _ in NearbyPage(items: [NearbyItem(item: Self.item, distance: distance)]) })
    let bench = TestBench(service: service)
    let run = await bench.run("near 48.1374,11.5755")
    #expect(run.status == .success)
    #expect(run.output.contains("  ?  "))
    let json = await bench.run("near 48.1374,11.5755 --json").output
    #expect(!json.contains("nan") && !json.contains("inf"))
  }
}
