#if HTTP
import NIOCore
import Synchronization
import Testing
import ToDoHTTPTransport
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestSupport

@testable import todo_server

/// Calendar feeds over HTTP.
@Suite(.timeLimited) struct CalendarEndpointTests {
  private let store = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let directory: ListDirectory
  private let list: LocalToDoService
  private let access: AccountAccess
  private let endpoint: CalendarEndpoint
  private let feeds: UserFeeds
  private let ann = User.sample("ann").list

  init() async throws {
    accounts = MemoryAccountStore(lists: store)
    directory = ListDirectory(accounts)
    let list = LocalToDoService(store: store).among(directory)
    self.list = list
    feeds = UserFeeds(accounts, at: "https://todo.example")
    access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []),
      userLists: UserLists(directory, list: list, sharedAmong: accounts), feeds: feeds
    ) { list.list(of: $0) }
    endpoint = CalendarEndpoint(feeds: FeedReader(access))
    for name in ["ann", "bob"] { try await accounts.addUser(.sample(name)) }
    try await add("Dentist", due: true, to: list.list(of: ann))
    try await add("Learn Italian", due: false, to: list.list(of: ann))
    try await add("Bob's secret", due: true, to: list.list(of: User.sample("bob").list))
  }

  @discardableResult
  private func add(_ title: String, due: Bool, to items: any ToDoService) async throws -> ToDoItem {
    let due = due ? DueDate.date(CalendarDate(daysSinceEpoch: 20_600)) : nil
    return try await items.addItem(NewItem(id: ItemID(), content: ItemContent(title: title, due: due)))
  }

  /// Creates a list of ann's, and returns it with its items.
  private func furtherList(_ name: String) async throws -> (id: ListID, items: any ToDoService) {
    let id = try await lists.createList(NewList(name: name)).id
    return (id, lists.items(in: id))
  }

  /// The lists of ann.
  private var lists: LocalToDoListService {
    LocalToDoListService(directory, defaultList: list.list(of: ann), listLimit: 10)
  }

  private func create(_ list: ListID? = nil) async throws -> CreatedCalendarFeed {
    try await feeds.feeds(of: .sample("ann"), owner: ann).createCalendarFeed(of: list)
  }

  private func get(
    _ path: String, ifNoneMatch tag: String? = nil, from connection: CallConnection = CallConnection(peer: Peer())
  ) async -> (status: Int, text: String, headers: [String: String], type: String?) {
    var metadata = Metadata()
    if let tag { metadata.append("if-none-match", tag) }
    let query = path.split(separator: "?", maxSplits: 1).dropFirst().joined()
    let request = HTTPEndpointRequest(
      method: "GET", query: query, call: CallContext(metadata: metadata, connection: connection))
    let response = await endpoint.respond(to: request)
    return (response.status, String(buffer: response.body), response.headers, response.contentType)
  }

  private func titles(_ text: String) -> [String] {
    text.split(separator: "\r\n").filter { $0.hasPrefix("SUMMARY:") }.map { String($0.dropFirst(8)) }
  }

  @Test func feedOfAllLists_hasTheDatedItemsOfItsUser() async throws {
    let further = try await furtherList("Work")
    let feed = try await create()
    #expect(feed.origin == "https://todo.example")
    // Also a list that got its items later.
    try await add("Report", due: true, to: further.items)
    let response = await get(feed.path)
    #expect(response.status == 200 && response.type == "text/calendar; charset=utf-8")
    #expect(titles(response.text) == ["Dentist", "Report"] && response.text.contains("\r\nNAME:To do\r\n"))
    #expect(response.text.contains("CATEGORIES:Work\r\n") && response.text.contains("CATEGORIES:Inbox\r\n"))
    #expect(response.headers["cache-control"] == "private, no-cache")
  }

  @Test func feedOfAList_hasOnlyItsItems() async throws {
    let further = try await furtherList("Work")
    try await add("Report", due: true, to: further.items)
    let work = await get(try await create(further.id).path)
    #expect(titles(work.text) == ["Report"] && work.text.contains("NAME:Work\r\n"))
    #expect(titles(await get(try await create(.default).path).text) == ["Dentist"])
  }

  @Test func feed_isReadAsToDos() async throws {
    let path = try await create().path
    #expect(await get(path + "&todos").text.contains("BEGIN:VTODO\r\n"))
    #expect(await get(path + "&todos=1&utm=x").text.contains("BEGIN:VTODO\r\n"))
    #expect(await get(path + "&utm=x").text.contains("BEGIN:VEVENT\r\n"))
  }

  @Test func doneItems_followOthers() async throws {
    let items = list.list(of: ann)
    let done = try await add("Renew passport", due: true, to: items)
    _ = try await items.checkItem(done.id, ifRevision: nil)
    #expect(titles(await get(try await create().path).text) == ["Dentist", "\u{2713} Renew passport"])
  }

  @Test func knownContent_isNotSentAgain() async throws {
    let path = try await create().path
    let tag = try #require(await get(path).headers["etag"])
    let again = await get(path, ifNoneMatch: "\"other\", W/\(tag)")
    #expect(again.status == 304 && again.text == "" && again.type == nil && again.headers["etag"] == tag)
    // The to-dos are another representation.
    #expect(await get(path + "&todos", ifNoneMatch: tag).status == 200)
    try await add("Report", due: true, to: list.list(of: ann))
    let changed = await get(path, ifNoneMatch: tag)
    #expect(changed.status == 200 && changed.headers["etag"] != tag)
  }

  @Test func renamedList_changesTheTag() async throws {
    let further = try await furtherList("Work")
    let path = try await create(further.id).path
    let tag = try #require(await get(path).headers["etag"])
    _ = try await lists.updateList(further.id, ListEdit(name: "Office"), ifVersion: nil)
    #expect(await get(path, ifNoneMatch: tag).text.contains("NAME:Office\r\n"))
  }

  // MARK: Secrets

  @Test func otherSecret_revokedFeed_andDeletedList_areNotFoundAlike() async throws {
    let further = try await furtherList("Work")
    let (revoked, deleted) = (try await create(), try await create(further.id))
    #expect(await get(revoked.path).status == 200)
    let service = feeds.feeds(of: .sample("ann"), owner: ann)
    try await service.revokeCalendarFeed(revoked.feed.id)
    _ = try await lists.deleteList(further.id)
    await access.monitorAccounts { throw CancellationError() }
    let zeros = String(repeating: "0", count: 64)
    let paths = [
      revoked.path, deleted.path, "/calendar.ics", "/calendar.ics?feed=", "/calendar.ics?feed=feed_0_0",
      "/calendar.ics?feed=feed_\(deleted.feed.id)_\(zeros)", "/calendar.ics?feed=feed_0000000000000000_\(zeros)",
    ]
    for path in paths {
      let response = await get(path)
      #expect(response.status == 404 && response.text == "there is no such calendar feed\n", "\(path)")
      #expect(response.headers["etag"] == nil)
    }
  }

  @Test func feedToken_isNoBearerToken_norTheReverse() async throws {
    let feed = try await create()
    let token = feed.path.split(separator: "=").last.map(String.init) ?? ""
    let secret = token.dropFirst("feed".count)
    for text in [token, "todo\(secret)"] {
      var metadata = Metadata()
      metadata.append("authorization", "Bearer \(text)")
      let call = CallContext(metadata: metadata, connection: CallConnection(peer: Peer()))
      await #expect(throws: RPCError.self) { try await CallerIdentity(access).user(of: call) }
    }
    let bearer = BearerToken()
    try await accounts.addToken(
      AccessToken(
        id: bearer.id, user: .sample("ann"), secretHash: bearer.secretHash, isReadOnly: false,
        createdAt: Timestamp(microseconds: 0), expiresAt: nil))
    for text in [bearer.description, "feed" + bearer.description.dropFirst("todo".count)] {
      #expect(await get("/calendar.ics?feed=\(text)").status == 404)
    }
  }

  @Test func wrongSecrets_areStrikes_andHaveToWait() async throws {
    let strikes = Atomic(0)
    let connection = CallConnection(peer: Peer()) { strikes.add(1, ordering: .relaxed) }
    let path = try await create().path
    #expect(await get(path, from: connection).status == 200)
    for number in 0..<11 {
      let id = "000000000000000" + String(number, radix: 16)
      #expect(await get("/calendar.ics?feed=feed_\(id)_", from: connection).status == 404)
    }
    #expect(strikes.load(ordering: .relaxed) == 11)
    #expect(await get("/calendar.ics?feed=feed_1_", from: connection).status == 429)
    // The limit never applies to a valid one.
    #expect(await get(path, from: connection).status == 200)
  }

  @Test func removedUser_hasNoFeed() async throws {
    let path = try await create().path
    _ = try await accounts.removeUser(.sample("ann"))
    await access.monitorAccounts { throw CancellationError() }
    #expect(await get(path).status == 404)
  }
}
#endif
