import ToDoModel

/// The items in a list that have reminders at their places, as of the last look at the list.
///
/// The first look reads the incomplete items, later ones only the changes since. The index holds at most `limit` items, whatever
/// the list contains, and of their text only the name of a place without a coordinate.
struct FenceIndex {
  fileprivate struct Entry {
    let fences: [PlaceFence]
    /// The name of a place without a coordinate.
    let name: String?
  }

  private let list: OwnerID
  private let limit: Int
  private var revision: Revision?
  private var entries: [ItemID: Entry] = [:]
  /// Whether items were left out.
  private var isPartial = false
  /// The areas of places without a coordinate, by name in lower case.
  private var branches: [String: [PlaceFence.Circle]] = [:]

  /// The maximum number of areas for one place.
  static let branchLimit = 16

  init(list: OwnerID, limit: Int = PlaceFences.limit) { (self.list, self.limit) = (list, limit) }

  /// The fences, the earliest added items' first.
  var fences: [PlaceFence] {
    entries.sorted { $0.key < $1.key }.flatMap { entry in
      entry.value.fences.map { fence in
        guard let name = entry.value.name else { return fence }
        return PlaceFence(fence.key, circles: branches[name] ?? [], acknowledged: fence.acknowledged)
      }
    }
  }

  /// The number of items and areas in memory.
  var count: Int { branches.values.reduce(entries.count) { $0 + $1.count } }

  /// Brings the index up to date.
  ///
  /// - Throws: any error of the service.
  mutating func refresh(from service: any ToDoService) async throws {
    let isFirst = revision == nil || isPartial && entries.count < limit
    var isChanged = isFirst
    if isFirst {
      try await read(service)
    } else {
      do { isChanged = try await readChanges(service) } catch let error as ToDoError where error.isNewBeginning {
        try await read(service)
        isChanged = true
      }
    }
    if isChanged { try await readBranches(service) }
  }

  private mutating func read(_ service: any ToDoService) async throws {
    (entries, isPartial, revision) = ([:], false, nil)
    var query = ItemQuery(state: .toDo, order: .created, pageSize: ItemQuery.Limits.pageSize)
    var first: Revision?
    repeat {
      let page = try await service.items(query)
      first = first ?? page.revision
      page.items.forEach { put($0) }
      query.pageToken = page.nextPageToken
    } while query.pageToken != nil
    revision = first
  }

  /// - Returns: whether the list has changed.
  private mutating func readChanges(_ service: any ToDoService) async throws -> Bool {
    guard let revision else { return false }
    var query = ChangeQuery(after: revision, state: .toDo, pageSize: ChangeQuery.Limits.pageSize)
    var isChanged = false
    var hasMore = true
    while hasMore {
      let page = try await service.changes(query)
      for change in page.changes {
        switch change {
        case .put(let item, _): put(item)
        case .deleted(let deletion): entries[deletion.id] = nil
        }
      }
      isChanged = isChanged || !page.changes.isEmpty
      (query.after, query.pageToken, hasMore) = (page.nextRevision, page.nextPageToken, page.hasMore)
    }
    self.revision = query.after
    return isChanged
  }

  private mutating func put(_ item: ToDoItem) {
    guard let entry = Entry(item, in: list) else {
      entries[item.id] = nil
      return
    }
    guard entries[item.id] != nil || entries.count < limit else {
      isPartial = true
      return
    }
    entries[item.id] = entry
  }

  /// Finds the coordinates that other items give to places without one, such as the branches of a chain.
  private mutating func readBranches(_ service: any ToDoService) async throws {
    branches = [:]
    for name in Set(entries.values.compactMap(\.name)).sorted() {
      var circles: [PlaceFence.Circle] = []
      for item in try await service.items(ItemQuery(text: name, order: .updated)).items {
        guard let location = item.location, location.name?.lowercased() == name,
          let circle = PlaceFence.Circle(location), circles.count < Self.branchLimit, !circles.contains(circle)
        else { continue }
        circles.append(circle)
      }
      branches[name] = circles
    }
  }
}

extension FenceIndex.Entry {
  /// Returns `nil` if the item has no reminder at its place.
  fileprivate init?(_ item: ToDoItem, in list: OwnerID) {
    guard !item.isDone, item.deletion == nil, item.content.hasMarks, let location = item.location else { return nil }
    let circle = PlaceFence.Circle(location)
    let events = PlaceReminder.Event.allCases.filter { event in
      item.reminders.contains { $0.trigger == event.trigger }
    }
    name = circle == nil && location.address == nil ? location.name?.lowercased() : nil
    guard !events.isEmpty, circle != nil || name != nil else { return nil }
    fences = events.map { event in
      PlaceFence(
        PlaceFence.Key(list: list, item: item.id, event: event), circles: circle.map { [$0] } ?? [],
        acknowledged: item.reminders.lazy.filter { $0.trigger == event.trigger }.compactMap(\.acknowledged).max())
    }
  }
}

extension ToDoError {
  /// Whether a list has to be read again, because its changes since the last look cannot be.
  fileprivate var isNewBeginning: Bool {
    switch self {
    case .revisionCompacted, .revisionInFuture, .listReplaced: true
    default: false
    }
  }
}
