import Testing
import ToDoStores
import ToDoTestSupport

@testable import ToDoModel
@testable import ToDoRules

/// Retries of lookups that failed while items were being saved.
@Suite(.unitTimeLimited) struct CoordinateResolverTests {
  private let store = MemoryToDoItemStore()
  private let geocoder = MockGeocoder()
  private let clock = TestClock()
  private let service: LocalToDoService
  private let resolver: CoordinateResolver

  init() {
    let feed = ChangeFeed(store)
    service = LocalToDoService(store: store, feed: feed, geocoder: geocoder, clock: clock)
    resolver = CoordinateResolver(store: store, geocoder: geocoder, wallClock: clock)
  }

  /// Saves an item while the geocoder fails.
  private func addUnresolved() async throws -> ToDoItem {
    geocoder.fail(with: .timedOut)
    defer { geocoder.fail(with: nil) }
    let content = ItemContent(title: "Visit", location: Location(address: .alteAddress))
    return try await service.addItem(
      NewItem(id: ItemID(time: clock.now()), content: content),
      options: SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true))
  }

  @Test func resolveDue_whenGeocoderRecovers_storesCoordinateAsChange() async throws {
    let item = try await addUnresolved()
    let watch = Subscription(service.watch(from: .now, state: .all))
    _ = try await watch.next()
    clock.advance(by: .seconds(60))
    #expect(try await resolver.resolveDue() == 1)
    let located = try await service.item(item.id)
    #expect(located.location?.coordinate == GeocodeCandidate.alte.coordinate)
    #expect(located.location?.provenance == Location.Provenance(source: "mock", granularity: .locality))
    #expect(located.updatedAt == clock.now())
    #expect(
      try await watch.next()
        == .changes(ChangeSet(revision: located.revision, changes: [.put(located, .located)])))
    clock.advance(by: .seconds(1_000_000))
    #expect(try await resolver.resolveDue() == 0)
  }

  @Test func resolveDue_beforeDueTime_attemptsNothing() async throws {
    _ = try await addUnresolved()
    clock.advance(by: .seconds(59))
    #expect(try await resolver.resolveDue() == 0)
  }

  @Test func resolveDue_whenGeocoderKeepsFailing_backsOffAndStops() async throws {
    _ = try await addUnresolved()
    geocoder.fail(with: .unavailable(detail: "down"))
    let queryCount = geocoder.queries.count
    var waits: [Int] = []
    var minutes = 0
    while waits.count < LookupRetries.limit, minutes < 20_000 {
      minutes += 1
      clock.advance(by: .seconds(60))
      if try await resolver.resolveDue() == 1 {
        waits.append(minutes)
        minutes = 0
      }
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 720, 720, 720, 720, 720])
    #expect(geocoder.queries.count - queryCount == LookupRetries.limit - 1)
  }

  @Test func resolveDue_whenAddressIsUnknown_removesLookup() async throws {
    _ = try await addUnresolved()
    geocoder.setAnswers([], for: .alteAddress)
    clock.advance(by: .seconds(60))
    #expect(try await resolver.resolveDue() == 1)
    clock.advance(by: .seconds(1_000_000))
    #expect(try await resolver.resolveDue() == 0)
  }

  @Test func resolveDue_whenMatchIsAGuess_storesNothingAndRemovesLookup() async throws {
    let item = try await addUnresolved()
    var guess = GeocodeCandidate.alte
    guess.isGuess = true
    geocoder.setAnswers([guess], for: .alteAddress)
    clock.advance(by: .seconds(60))
    #expect(try await resolver.resolveDue() == 1)
    #expect(try await service.item(item.id) == item)
    clock.advance(by: .seconds(1_000_000))
    #expect(try await resolver.resolveDue() == 0)
  }

  @Test func addItem_whenAddressIsUnknown_createsNoPendingLookup() async throws {
    let content = ItemContent(title: "Visit", location: Location(address: "Nowhere 1"))
    _ = try await service.addItem(
      NewItem(id: ItemID(high: 1, low: 2), content: content),
      options: SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true))
    clock.advance(by: .seconds(1_000_000))
    #expect(try await resolver.resolveDue() == 0)
  }

  @Test(arguments: [
    LocationEdit.edit(coordinate: Coordinate(latitude: 1, longitude: 2).map(FieldEdit.set) ?? .keep),
    .edit(address: .set("There 1")), .clear,
  ])
  func resolveDue_whenItemWasEdited_preservesEdit(_ location: LocationEdit) async throws {
    let item = try await addUnresolved()
    var edit = ItemEdit()
    edit.location = location
    let edited = try await service.updateItem(
      item.id, edit, ifRevision: nil, options: SaveOptions(savesWithoutCoordinate: true))
    clock.advance(by: .seconds(60))
    _ = try await resolver.resolveDue()
    #expect(try await service.item(item.id) == edited)
  }

  @Test func resolveDue_whenItemWasDeleted_removesLookup() async throws {
    let item = try await addUnresolved()
    _ = try await service.deleteItem(item.id, ifRevision: nil)
    clock.advance(by: .seconds(60))
    _ = try await resolver.resolveDue()
    await #expect(throws: ToDoError.itemNotFound(item.id)) { try await service.item(item.id) }
  }

  @Test func resolveDue_onSeveralServers_queriesGeocoderOnce() async throws {
    _ = try await addUnresolved()
    clock.advance(by: .seconds(60))
    let other = CoordinateResolver(
      store: store, geocoder: geocoder, wallClock: clock)
    let queryCount = geocoder.queries.count
    geocoder.hold()
    let first = Task { try await resolver.resolveDue() }
    await geocoder.waitForQueries(queryCount + 1)
    #expect(try await other.resolveDue() == 0)
    geocoder.release()
    #expect(try await first.value == 1)
    #expect(geocoder.queries.count == queryCount + 1)
  }

  @Test func resolveDue_afterLeaseOfAnotherServerExpires_retriesLookup() async throws {
    _ = try await addUnresolved()
    clock.advance(by: .seconds(60))
    let died = Task { try await resolver.resolveDue() }
    died.cancel()
    _ = await died.result
    clock.advance(by: CoordinateResolver.lease)
    _ = try await resolver.resolveDue()
    let items = try await service.items(ItemQuery()).items
    #expect(items.map(\.location?.coordinate) == [GeocodeCandidate.alte.coordinate])
  }

  @Test func resolveDue_whenAnotherServerHasSettledTheLookup_changesNothing() async throws {
    _ = try await addUnresolved()
    clock.advance(by: .seconds(60))
    geocoder.fail(with: .timedOut)
    geocoder.hold()
    let queryCount = geocoder.queries.count
    let late = Task { try await resolver.resolveDue() }
    await geocoder.waitForQueries(queryCount + 1)
    clock.advance(by: CoordinateResolver.lease)
    let failing = MockGeocoder()
    failing.fail(with: .timedOut)
    let other = CoordinateResolver(store: store, geocoder: failing, wallClock: clock)
    #expect(try await other.resolveDue() == 1)
    geocoder.release()
    _ = try await late.value
    // Two minutes after the second attempt, not four minutes after a third.
    clock.advance(by: .seconds(120))
    #expect(try await other.resolveDue() == 1)
  }

  @Test func resolveDue_whenCoordinateIsStored_chargesWriteRate() async throws {
    var limits = WriteRateLimiter.Limits()
    limits.items = .init(perSecond: 1, burst: 2)
    let (limiter, owner) = (WriteRateLimiter(limits) { .zero }, OwnerID("ann"))
    let list = LocalToDoService(store: store, geocoder: geocoder, owner: owner, writeRate: limiter, clock: clock)
    let resolver = CoordinateResolver(store: store, geocoder: geocoder, writeRate: limiter, wallClock: clock)
    geocoder.fail(with: .timedOut)
    let content = ItemContent(title: "Visit", location: Location(address: .alteAddress))
    _ = try await list.addItem(
      NewItem(id: ItemID(high: 1, low: 1), content: content),
      options: SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true))
    geocoder.fail(with: nil)
    clock.advance(by: .seconds(60))
    #expect(try await resolver.resolveDue() == 1)
    await #expect(throws: ToDoError.writeRateExceeded(retryAfter: .seconds(1))) {
      try await list.checkItem(ItemID(high: 1, low: 1), ifRevision: nil)
    }
  }

  /// Adds an item to a further list of ann's while the geocoder fails.
  private func addToFurtherList(
    byteLimit: Int = LocalToDoService.defaultByteLimit, writeRate: WriteRateLimiter? = nil
  ) async throws -> (lists: LocalToDoListService, work: ListID, resolver: CoordinateResolver) {
    let accounts = MemoryAccountStore(lists: store)
    let lists = LocalToDoListService(
      ListDirectory(accounts),
      defaultList: LocalToDoService(
        store: store, geocoder: geocoder, owner: OwnerID("ann"), writeRate: writeRate, clock: clock))
    let work = try await lists.createList(NewList(name: "Work"))
    geocoder.fail(with: .timedOut)
    let content = ItemContent(title: "Visit", location: Location(address: .alteAddress))
    _ = try await lists.items(in: work.id).addItem(
      NewItem(id: ItemID(high: 1, low: 1), content: content), options: SaveOptions(savesWithoutCoordinate: true))
    geocoder.fail(with: nil)
    clock.advance(by: .seconds(60))
    let resolver = CoordinateResolver(
      store: store, lists: ListDirectory(accounts), geocoder: geocoder, byteLimit: byteLimit, writeRate: writeRate,
      wallClock: clock)
    return (lists, work.id, resolver)
  }

  @Test func resolveDue_inFurtherList_countsForItsOwner() async throws {
    var limits = WriteRateLimiter.Limits()
    limits.items = .init(perSecond: 1, burst: LocalToDoListService.changeCost + 2)
    let (lists, _, resolver) = try await addToFurtherList(writeRate: WriteRateLimiter(limits) { .zero })
    #expect(try await resolver.resolveDue() == 1)
    #expect(geocoder.queries.map(\.owner?.name) == ["ann", "ann"])
    await #expect(throws: ToDoError.writeRateExceeded(retryAfter: .seconds(1))) {
      _ = try await lists.createList(NewList(name: "Home"))
    }
  }

  @Test func resolveDue_inFurtherList_keepsQuotaOfItsOwner() async throws {
    let note = ItemContent(title: "Note", itemDescription: String(repeating: "x", count: 1_000))
    let (lists, work, resolver) = try await addToFurtherList(byteLimit: StoredSize.of(note) + 100)
    _ = try await lists.defaultList.addItem(NewItem(id: ItemID(high: 1, low: 2), content: note))
    #expect(try await resolver.resolveDue() == 1)
    let items = lists.items(in: work)
    #expect(try await items.item(ItemID(high: 1, low: 1)).location?.coordinate == nil)
  }

  @Test func resolveDue_whenQuotaIsExhausted_retriesLater() async throws {
    let item = try await addUnresolved()
    let used = StoredSize.of(item.content)
    let full = CoordinateResolver(store: store, geocoder: geocoder, byteLimit: 2 * used - 1, wallClock: clock)
    clock.advance(by: .seconds(60))
    #expect(try await full.resolveDue() == 1)
    #expect(try await service.item(item.id) == item)
    #expect(try await full.resolveDue() == 0)
    clock.advance(by: .seconds(120))
    #expect(try await resolver.resolveDue() == 1)
    #expect(try await service.item(item.id).location?.coordinate != nil)
  }

  @Test func run_untilCancelled_resolvesAtInterval() async throws {
    let ticks = ManualClock()
    let resolver = CoordinateResolver(
      store: store, geocoder: geocoder, interval: .seconds(15), wallClock: clock,
      clock: ticks)
    let running = Task { await resolver.run() }
    await ticks.waitForSleepers()
    let item = try await addUnresolved()
    clock.advance(by: .seconds(60))
    ticks.advance(by: .seconds(15))
    await ticks.waitForSleepers()
    #expect(try await service.item(item.id).location?.coordinate != nil)
    running.cancel()
    await running.value
  }

  @Test func geocoderQuery_fromAnyOperation_namesOwner() async throws {
    let ann = service.list(of: OwnerID("ann"))
    let content = ItemContent(title: "Visit", location: Location(address: .alteAddress))
    geocoder.fail(with: .timedOut)
    let item = try await ann.addItem(
      NewItem(id: ItemID(high: 1, low: 1), content: content),
      options: SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true))
    geocoder.fail(with: nil)
    clock.advance(by: .seconds(60))
    #expect(try await resolver.resolveDue() == 1)
    _ = try await ann.geocode(GeocodeQuery(address: .alteAddress))
    var edit = ItemEdit()
    edit.location = .edit(name: .keep, address: .set(.alteAddress), coordinate: .clear)
    _ = try await ann.updateItem(item.id, edit, ifRevision: nil)
    _ = try await service.geocode(GeocodeQuery(address: .alteAddress, owner: OwnerID("eve")))
    #expect(geocoder.queries.map(\.owner?.name) == ["ann", "ann", "ann", "ann", "local"])
  }
}
