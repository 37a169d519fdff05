import Testing
public import ToDoModel
public import ToDoRules

/// The contract of `ToDoService`, as rules that every implementation passes, both in the same process and over a
/// connection.
public enum ServiceContract {
  /// A service over an empty list, with its clock.
  public struct Subject: Sendable {
    /// The service under test.
    public var service: any ToDoService
    /// The clock of the service.
    public let clock: TestClock
    /// The clock of the change feed.
    public let feedClock: ManualClock
    /// The geocoder of the service.
    public let geocoder: MockGeocoder

    /// Creates a subject.
    public init(service: any ToDoService, clock: TestClock, feedClock: ManualClock, geocoder: MockGeocoder) {
      self.service = service
      self.clock = clock
      self.feedClock = feedClock
      self.geocoder = geocoder
    }

    /// Creates a subject whose service applies the rules of the list to a new, empty store.
    ///
    /// To check the service over a connection, serve it and replace `service` with a client.
    public init(over store: any ToDoItemStore) {
      let (clock, feedClock, geocoder) = (TestClock(), ManualClock(), MockGeocoder())
      let service = LocalToDoService(
        store: store, feed: ChangeFeed(store, clock: feedClock), geocoder: geocoder, clock: clock)
      self.init(service: service, clock: clock, feedClock: feedClock, geocoder: geocoder)
    }
  }

  typealias Rule = ContractRule<Subject>

  /// All rules of the contract.
  public static let rules: [ContractRule<Subject>] = [
    adding, batches, duplicates, validation, tags, tagRenaming, steps, waiting, repetitionFields, reminders, numbers,
    listing,
    filters, combinedFilters,
    changing,
    deleting, trash, trashListing,
    emptyingTrash, history, reverting, redoing, refusing, concurrency, watching, filteredWatches, changes, incarnations,
    geocodingAdditions, geocodingEdits, geocoding, nearby, repeating, repetitionUndone,
  ].flatMap(\.self)
}

extension ServiceContract.Subject {
  /// Adds an item with a new ID, one millisecond after the previous item.
  @discardableResult
  func add(_ content: ItemContent, allowingDuplicate: Bool = false) async throws -> ToDoItem {
    clock.advance(by: .milliseconds(1))
    return try await service.addItem(
      NewItem(id: ItemID(time: clock.now()), content: content), options: SaveOptions(allowsDuplicate: allowingDuplicate)
    )
  }

  @discardableResult
  func add(_ title: String, due: DueDate? = nil) async throws -> ToDoItem {
    try await add(ItemContent(title: title, due: due))
  }

  func titles(_ query: ItemQuery = ItemQuery()) async throws -> [String] {
    try await service.items(query).items.map(\.title)
  }

  /// Advances the feed's clock until the task is canceled.
  func passTime() async {
    while !Task.isCancelled {
      await feedClock.waitForSleepers()
      feedClock.advance(by: .seconds(1))
    }
  }

  func newItem(_ content: ItemContent) -> NewItem {
    NewItem(id: ItemID(time: clock.now()), content: content)
  }
}

extension ItemContent {
  /// Content that uses every field but the repetition, with which checking an item does not complete it.
  package static let full = ItemContent(
    title: "Visit the pinakothek 🎨",
    itemDescription: "Bring the student card\nand an umbrella",
    due: .time(Timestamp(microseconds: 1_770_000_000_123_456)),
    location: Location(
      name: "Alte Pinakothek", address: "Barer Str. 27, München",
      coordinate: Coordinate(latitude: 48.148_347_2, longitude: 11.570_083_3)),
    tags: ["museum", "city/München"], priority: .medium,
    steps: [Step("Buy tickets", isDone: true), Step("Öffnungszeiten\nnachsehen")],
    waitUntil: Timestamp(microseconds: 1_769_000_000_654_321),
    reminders: [Reminder(.day(.init(daysBefore: 1, minuteOfDay: 1080, timeZone: "Europe/Berlin")))])
}
