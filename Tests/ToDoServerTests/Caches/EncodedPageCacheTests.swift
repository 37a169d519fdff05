import NIOCore
import Testing
import ToDoClient
import ToDoModel
import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoServer

/// Tests of the cache of encoded pages.
@Suite(.timeLimited) struct EncodedPageCacheTests {
  private func page(_ revision: Int64, items: Int = 1) -> ItemPage {
    let items = (0..<items).map { number in
      var item = ToDoItem.sample(UInt64(number))
      item.revision = Revision(revision)
      return item
    }
    return ItemPage(items: items, nextPageToken: nil, revision: Revision(revision))
  }

  private func decoded(_ message: ByteBuffer?) throws -> ItemPage? {
    try message?.withUnsafeReadableBytes { try ToDoMethods.listItems.response.decode($0, Arena()) }
  }

  @Test func page_whileRevisionIsCurrent_isCached() throws {
    let pages = EncodedPageCache(size: 1 << 20)
    #expect(pages.message(for: ItemQuery(), of: .local, at: Revision(7)) == nil)
    #expect(try decoded(pages.encode(page(7), for: ItemQuery(), of: .local)) == page(7))
    #expect(try decoded(pages.message(for: ItemQuery(), of: .local, at: Revision(7))) == page(7))
    #expect(pages.message(for: ItemQuery(), of: .local, at: Revision(8)) == nil)
  }

  @Test(
    arguments: [
      ItemQuery(state: .done), ItemQuery(text: "milk"), ItemQuery(order: .updated), ItemQuery(pageSize: 7),
      ItemQuery(pageToken: "token"),
    ])
  func page_ofOtherQueryOrOwner_isNotReturned(query: ItemQuery) {
    let pages = EncodedPageCache(size: 1 << 20)
    _ = pages.encode(page(7), for: ItemQuery(), of: .local)
    #expect(pages.message(for: query, of: .local, at: Revision(7)) == nil)
    #expect(pages.message(for: ItemQuery(), of: OwnerID("anna"), at: Revision(7)) == nil)
  }

  @Test func pages_beyondSize_areEvicted() {
    let pages = EncodedPageCache(size: 20_000)
    for size in 1...100 { _ = pages.encode(page(7), for: ItemQuery(pageSize: size), of: .local) }
    let cachedCount = (1...100).count {
      pages.message(for: ItemQuery(pageSize: $0), of: .local, at: Revision(7)) != nil
    }
    #expect((1...60).contains(cachedCount))
    let none = EncodedPageCache(size: 0)
    _ = none.encode(page(7), for: ItemQuery(), of: .local)
    #expect(none.message(for: ItemQuery(), of: .local, at: Revision(7)) == nil)
  }

  @Test(
    arguments: [
      ItemFilter(place: String(repeating: "p", count: 1000)),
      ItemFilter(text: String(repeating: "t", count: 1000)),
      ItemFilter(excludedText: String(repeating: "t", count: 1000)),
      ItemFilter(alternatives: (1...8).map { ItemFilter(place: "\($0)" + String(repeating: "p", count: 100)) }),
      ItemFilter(tags: TagFilter(all: (1...32).map { "\($0)" + String(repeating: "t", count: 300) })),
      ItemFilter(tags: TagFilter(any: (1...32).map { "\($0)" + String(repeating: "t", count: 300) })),
      ItemFilter(tags: TagFilter(none: (1...32).map { "\($0)" + String(repeating: "t", count: 300) })),
    ])
  func pages_ofLargeFilters_countWithThem(filter: ItemFilter) {
    let pages = EncodedPageCache(size: 20_000)
    for size in 1...100 {
      _ = pages.encode(page(7, items: 0), for: ItemQuery(filter: filter, pageSize: size), of: .local)
    }
    let cachedCount = (1...100).count {
      pages.message(for: ItemQuery(filter: filter, pageSize: $0), of: .local, at: Revision(7)) != nil
    }
    #expect(cachedCount <= 20)
  }

  @Test func listings_areReadOnceAndNeverStale() async throws {
    let store = ScriptedItemStore(MemoryToDoItemStore())
    let methods = MethodTable(serving: LocalToDoService(store: store), health: HealthMonitor(services: []))
    try await TestServer.with(methods) { server in
      let client = server.client(TestClient.configuration())
      for number in 1...5 {
        let new = NewItem(id: .sample(UInt64(number)), content: ItemContent(title: "Number \(number)"))
        let item = try await client.addItem(new, options: SaveOptions(allowsDuplicate: true))
        for _ in 0..<3 { #expect(try await client.items(ItemQuery()).items.last == item) }
        #expect(try await client.items(ItemQuery(state: .done)).items.isEmpty)
      }
      await client.close()
    }
    #expect(store.listingCount == 10)
  }
}
