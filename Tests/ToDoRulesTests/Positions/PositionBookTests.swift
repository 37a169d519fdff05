import Synchronization
import Testing
import ToDoModel
import ToDoStores
import ToDoTestSupport

@testable import ToDoRules

/// Reports of positions, over a store in memory.
@Suite(.unitTimeLimited) struct PositionBookTests {
  private let clock = ManualClock()
  private let wall = TestClock()
  private let items = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let directory: ListDirectory
  private let service: LocalToDoService
  private let sent = SentReminders()
  private let ann = User.sample("ann").list
  private let bob = User.sample("bob").list

  private final class SentReminders: Sendable {
    let all = Mutex<[(user: OwnerID, title: String)]>([])
  }

  init() async throws {
    accounts = MemoryAccountStore(lists: items)
    directory = ListDirectory(accounts)
    service = LocalToDoService(store: items, feed: ChangeFeed(items), clock: wall)
    for name in ["ann", "bob"] { try await accounts.addUser(.sample(name)) }
  }

  // MARK: Own lists

  @Test func arrival_isToldOnce_andAcknowledged() async throws {
    let book = book()
    let item = try await add("Milk", .arriving)
    #expect(try await move(book, 5_000) == [])
    let told = try await move(book, 0)
    #expect(
      told == [PlaceReminder(list: .default, item: item.id, number: item.number, title: "Milk", event: .arriving)])
    #expect(try await reminders(item) == [Reminder(.arriving, acknowledged: wall.now())])
    #expect(try await move(book, 0) == [])
    #expect(try await service.list(of: ann).item(item.id).revision == Revision(2))
    #expect(sent.all.withLock(\.self).map(\.title) == ["Milk"])
    #expect(sent.all.withLock(\.self).map(\.user) == [ann])
  }

  @Test func departure_isTold_afterTheUserWasInside() async throws {
    let book = book()
    try await add("Umbrella", .leaving)
    #expect(try await move(book, 5_000) == [])
    #expect(try await move(book, 0) == [])
    #expect(try await move(book, 5_000).map(\.event) == [.leaving])
  }

  @Test(arguments: ["check", "delete", "dismiss", "move", "remove", "wait"])
  func reminder_whenItemChangesBefore_isNotTold(_ change: String) async throws {
    let book = book()
    let list = service.list(of: ann)
    let item = try await add("Milk", .arriving)
    try await add("Bread", .arriving)
    #expect(try await move(book, 5_000) == [])
    var edit = ItemEdit()
    switch change {
    case "check": _ = try await list.checkItem(item.id, ifRevision: nil)
    case "delete": _ = try await list.deleteItem(item.id, ifRevision: nil)
    case "dismiss": edit.reminders = [Reminder(.arriving, acknowledged: wall.now())]
    case "move": edit.location = .set(Location(name: "Far", coordinate: try coordinate(9_000)))
    case "remove": edit.reminders = []
    default: edit.waitUntil = .set(wall.now().adding(seconds: 86_400))
    }
    if !edit.isEmpty { _ = try await list.updateItem(item.id, edit, ifRevision: nil) }
    #expect(try await move(book, 0).map(\.title) == ["Bread"])
  }

  @Test func addedAndEditedItems_areFound() async throws {
    let book = book()
    #expect(try await move(book, 0) == [])
    let item = try await add("Milk", .leaving)
    #expect(try await move(book, 0) == [])
    var edit = ItemEdit()
    edit.reminders = [Reminder(.arriving)]
    _ = try await service.list(of: ann).updateItem(item.id, edit, ifRevision: nil)
    #expect(try await move(book, 0).map(\.title) == ["Milk"])
  }

  /// The second server has not seen the arrival that the first one told.
  @Test func twoServers_tellOnce() async throws {
    let (first, second) = (book(), book())
    try await add("Milk", .arriving)
    #expect(try await move(first, 0).count == 1)
    #expect(try await move(second, 0) == [])
  }

  @Test func arrivalAfterAnHour_isToldAgain() async throws {
    let book = book()
    try await add("Milk", .arriving)
    #expect(try await move(book, 0).count == 1)
    wall.advance(by: .seconds(3_600))
    #expect(try await move(book, 5_000) == [])
    wall.advance(by: .seconds(3_598))
    #expect(try await move(book, 0) == [])
    #expect(try await move(book, 5_000) == [])
    wall.advance(by: .seconds(3_600))
    #expect(try await move(book, 0).count == 1)
  }

  @Test func nameWithoutCoordinate_isEveryPlaceThatOtherItemsGiveIt() async throws {
    let book = book()
    try await add("Milk", .arriving, at: Location(name: "Rewe"))
    #expect(try await move(book, 0) == [])
    try await add("Bread", nil, at: Location(name: "REWE", coordinate: try coordinate(0)))
    try await add("Salt", nil, at: Location(name: "Rewe", coordinate: try coordinate(3_000)))
    try await add("Tea", nil, at: Location(name: "Rewe Center", coordinate: try coordinate(6_000)))
    #expect(try await move(book, 6_000) == [])
    #expect(try await move(book, 3_000).map(\.title) == ["Milk"])
  }

  @Test func furtherLists_count_andDeletedOnesDoNot() async throws {
    let book = book()
    let work = try await lists(of: "ann").createList(NewList(name: "Work")).id
    let item = try await add("Desk", .arriving, in: OwnerID(work))
    #expect(try await move(book, 5_000) == [])
    _ = try await lists(of: "ann").deleteList(work)
    #expect(try await move(book, 0) == [])
    _ = try await lists(of: "ann").undeleteList(work)
    #expect(try await move(book, 0).map(\.list) == [work])
    #expect(try await service.list(of: OwnerID(work)).item(item.id).reminders.map(\.acknowledged) == [wall.now()])
  }

  // MARK: Shared lists

  @Test func sharedList_tellsEachUserOfTheirOwnArrival_andKeepsNothing() async throws {
    let book = book()
    let work = try await share(with: "bob")
    let item = try await add("Keys", .arriving, in: OwnerID(work))
    for user in [ann, bob] { #expect(try await move(book, 5_000, user) == []) }
    #expect(try await move(book, 0).map(\.title) == ["Keys"])
    #expect(try await move(book, 0, bob).map(\.title) == ["Keys"])
    for user in [ann, bob] { #expect(try await move(book, 0, user) == []) }
    // An acknowledgment would tell the other user who was where, and when.
    #expect(try await service.list(of: OwnerID(work)).item(item.id) == item)
    #expect(sent.all.withLock(\.self).map(\.user) == [ann, bob])
  }

  @Test func sharedList_thatTheUserHasLeft_tellsNothing() async throws {
    let book = book()
    let work = try await share(with: "bob")
    try await add("Keys", .arriving, in: OwnerID(work))
    #expect(try await move(book, 5_000, bob) == [])
    _ = try await lists(of: "ann").unshareList(work, with: "bob")
    #expect(try await move(book, 0, bob) == [])
    #expect(try await move(book, 0).count == 1)
  }

  /// Users who have one default list share the targets, too.
  @Test func usersOfOneDefaultList_areToldOfTheirOwnArrivals_andKeepNothing() async throws {
    let book = book()
    try await accounts.addUser(User(name: try #require(UserName("eve")), list: ann, createdAt: wall.now()))
    let item = try await add("Milk", .arriving)
    for name in ["ann", "eve"] {
      #expect(try await book.service(of: ann, named: name).reportPosition(position(0)).map(\.title) == ["Milk"])
    }
    #expect(try await reminders(item) == item.reminders)
    #expect(sent.all.withLock(\.self).isEmpty)
  }

  @Test func otherUsers_areToldNothing() async throws {
    let book = book()
    try await add("Milk", .arriving)
    #expect(try await move(book, 0, bob) == [])
    #expect(try await move(book, 0).count == 1)
  }

  // MARK: Turns

  @Test func reports_withinASecond_areReplacedByTheLast() async throws {
    let book = book()
    try await add("Milk", .arriving)
    #expect(try await book.service(of: ann, named: "ann").reportPosition(position(5_000)) == [])
    wall.advance(by: .seconds(1))
    let inside = try position(0)
    let first = Task { try await book.service(of: ann, named: "ann").reportPosition(inside) }
    await clock.waitForSleepers(1)
    wall.advance(by: .seconds(1))
    let second = Task { try await book.service(of: ann, named: "ann").reportPosition(inside) }
    await clock.waitForSleepers(2)
    // Another user does not wait.
    #expect(try await book.service(of: bob, named: "bob").reportPosition(inside) == [])
    clock.advance(by: .seconds(1))
    #expect(try await first.value == [])
    #expect(try await second.value.map(\.title) == ["Milk"])
  }

  @Test func reports_countInTheWriteRate() async throws {
    var limits = WriteRateLimiter.Limits()
    limits.items = WriteRateLimiter.Rate(perSecond: 1, burst: 20)
    let book = book(WriteRateLimiter(limits, uptime: { .zero }))
    for _ in 1...2 { _ = try await move(book, 0) }
    await #expect {
      try await move(book, 0)
    } throws: { error in
      if case ToDoError.writeRateExceeded = error { true } else { false }
    }
    #expect(try await move(book, 0, bob) == [])
  }

  @Test func invalidPosition_isRefused_withoutATurn() async throws {
    var position = try position(0)
    position.accuracy = -1
    await #expect(
      throws: ToDoError.invalidRequest([FieldViolation("position.accuracy_meters", "must be 0 to 20,000,000")])
    ) { try await book().service(of: ann, named: "ann").reportPosition(position) }
  }

  // MARK: Failures

  @Test func reminder_thatCannotBeAcknowledged_followsWithALaterPosition() async throws {
    let list = FailingList(service.list(of: ann))
    let book = PositionBook(directory, accounts: accounts, timing: timing) { _, _ in list }
    try await add("Milk", .arriving)
    #expect(try await move(book, 5_000) == [])
    list.failure.withLock { $0 = .storeUnavailable(detail: "gone") }
    await #expect(throws: ToDoError.storeUnavailable(detail: "gone")) { try await move(book, 0) }
    list.failure.withLock { $0 = nil }
    #expect(try await move(book, 0).map(\.title) == ["Milk"])
    #expect(try await move(book, 0) == [])
  }

  @Test func reminder_thatCannotBeAcknowledged_followsAlsoIfAnotherOneWasTold() async throws {
    let work = OwnerID(try await lists(of: "ann").createList(NewList(name: "Work")).id)
    let list = FailingList(service.list(of: ann))
    let book = PositionBook(directory, accounts: accounts, timing: timing) { [service] owner, _ in
      if owner == work { service.list(of: owner) as any ToDoService } else { list }
    }
    try await add("Milk", .arriving)
    try await add("Desk", .arriving, in: work)
    list.failure.withLock { $0 = .storeUnavailable(detail: "gone") }
    #expect(try await move(book, 0).map(\.title) == ["Desk"])
    list.failure.withLock { $0 = nil }
    #expect(try await move(book, 0).map(\.title) == ["Milk"])
  }

  @Test func list_thatCannotBeRead_doesNotHoldBackOthers() async throws {
    let work = try await lists(of: "ann").createList(NewList(name: "Work")).id
    let book = PositionBook(directory, accounts: accounts, timing: timing) { [service] list, _ in
      if list.list == work { UnreadableList() as any ToDoService } else { service.list(of: list) }
    }
    await #expect(throws: UnimplementedOperation.self) { try await move(book, 0) }
    try await add("Milk", .arriving)
    #expect(try await move(book, 0).map(\.title) == ["Milk"])
  }

  // MARK: Support

  private struct UnreadableList: ToDoServiceStub {}

  /// A list that can be read, and whose items cannot be edited while `failure` is set.
  private final class FailingList: ToDoServiceStub {
    let failure = Mutex<ToDoError?>(nil)
    private let list: LocalToDoService

    init(_ list: LocalToDoService) { self.list = list }

    func item(_ id: ItemID) async throws -> ToDoItem { try await list.item(id) }
    func items(_ query: ItemQuery) async throws -> ItemPage { try await list.items(query) }
    func changes(_ query: ChangeQuery) async throws -> ChangePage { try await list.changes(query) }

    func updateItem(
      _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
    ) async throws -> ToDoItem {
      if let failure = failure.withLock(\.self) { throw failure }
      return try await list.updateItem(id, edit, ifRevision: ifRevision, options: options)
    }
  }

  private var timing: PositionTiming {
    PositionTiming(clock: wall, uptime: { [clock] in clock.now.offset }) { [clock] in try await clock.sleep(for: $0) }
  }

  private func book(_ writeRate: WriteRateLimiter? = nil) -> PositionBook {
    PositionBook(directory, accounts: accounts, timing: timing, writeRate: writeRate) { [sent] user, item, _, _ in
      sent.all.withLock { $0.append((user, item.title)) }
    } list: { [service] in
      service.list(of: $0, countingFor: $1)
    }
  }

  /// Reports a position at a number of meters north of the place, a second after the last one.
  @discardableResult
  private func move(_ book: PositionBook, _ meters: Double, _ user: OwnerID? = nil) async throws -> [PlaceReminder] {
    wall.advance(by: .seconds(1))
    clock.advance(by: .seconds(1))
    let name = user == bob ? "bob" : "ann"
    return try await book.service(of: user ?? ann, named: name).reportPosition(position(meters))
  }

  private func position(_ meters: Double) throws -> Position { Position(try coordinate(meters), accuracy: 10) }

  private func coordinate(_ meters: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: 48 + meters / 111_195, longitude: 11.57))
  }

  /// Adds an item at the place, or elsewhere.
  @discardableResult
  private func add(
    _ title: String, _ trigger: Reminder.Trigger?, at location: Location? = nil, in list: OwnerID? = nil
  ) async throws -> ToDoItem {
    let place = try location ?? Location(name: "Shop", coordinate: coordinate(0))
    let content = ItemContent(title: title, location: place, reminders: trigger.map { [Reminder($0)] } ?? [])
    return try await service.list(of: list ?? ann).addItem(NewItem(id: ItemID(), content: content))
  }

  private func reminders(_ item: ToDoItem) async throws -> [Reminder] {
    try await service.list(of: ann).item(item.id).reminders
  }

  private func lists(of name: String) throws -> LocalToDoListService {
    let user = try #require(UserName(name))
    return LocalToDoListService(
      directory, defaultList: service.list(of: User.sample(name).list), sharing: ListSharing(by: user, among: accounts))
  }

  /// Makes a list of ann's, and shares it with another user, who accepts.
  private func share(with name: String) async throws -> ListID {
    let work = try await lists(of: "ann").createList(NewList(name: "Work")).id
    _ = try await lists(of: "ann").shareList(work, with: name, as: .viewer)
    return try await lists(of: name).acceptList(work).id
  }
}
