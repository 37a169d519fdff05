public import ToDoModel
import ToDoSupport

/// A service that applies the rules of the list over any store.
///
/// Operations that must be atomic (the duplicate check, the revision, a batch) run inside one transaction of the store.
public struct LocalToDoService: Sendable {
  let store: any ToDoItemStore
  let feed: ChangeFeed
  private(set) var owner: OwnerID
  /// The owner whose write rate the changes count in: the user who makes them, also in the user's further lists.
  private(set) var rateOwner: OwnerID
  /// The user's membership in the list; `nil` for a list of the user's own.
  private(set) var membership: ListMembership?
  let geocoder: (any Geocoder)?
  let clock: any WallClock
  private(set) var itemLimit: Int
  private(set) var byteLimit: Int
  /// The part of the item limit that the user's other lists leave, which may be negative; `nil` for the default list.
  private(set) var remainingItems: Int?
  /// The limits of the user's default list.
  private let defaultLimits: (items: Int, bytes: Int)
  /// The user's other lists, between which items can be moved; `nil` for a list without others.
  private(set) var others: (any OtherLists)?
  let deletedItemAge: Duration
  let writeRate: WriteRateLimiter?
  let tellsClientsApart: Bool
  /// The time zones in which items repeat.
  private(set) var timeZones: any TimeZones = TimeZoneFiles()
  /// The user and the client that make the changes.
  private(set) var origin = ChangeOrigin()
  /// The right to make the changes; `nil` if nothing can end it.
  private(set) var right: WriteRight?

  /// The default maximum number of items in a list.
  public static let defaultItemLimit = 100_000

  /// The default of a list's quota: 256 MiB, enough for one user's items and a week of changes.
  public static let defaultByteLimit = 256 << 20

  /// The default of the time for which a deleted item can be restored.
  public static let defaultDeletedItemAge = Duration.seconds(30 * 24 * 3600)

  /// Creates the service of one owner's list.
  ///
  /// - Parameters:
  ///   - feed: the only feed of the store; `nil` creates it.
  ///   - geocoder: resolves addresses to coordinates; `nil` disables geocoding.
  ///   - itemLimit: the maximum number of items in a list.
  ///   - byteLimit: the quota in bytes of a list's items, changes and deleted IDs, as counted by `StoredSize`.
  ///   - deletedItemAge: the time for which a deleted item can be restored, at most `ChangeRetention.deletedIDAge` of the
  ///     store; 0 to remove items immediately.
  ///   - writeRate: limits the write rate of each list; `nil` for no limit.
  ///   - tellsClientsApart: whether, for callers without users, only the changes of the same client are their own, instead
  ///     of those of all such callers.
  public init(
    store: any ToDoItemStore, feed: ChangeFeed? = nil, geocoder: (any Geocoder)? = nil, owner: OwnerID = .local,
    itemLimit: Int = defaultItemLimit, byteLimit: Int = defaultByteLimit,
    deletedItemAge: Duration = defaultDeletedItemAge, writeRate: WriteRateLimiter? = nil,
    tellsClientsApart: Bool = true, clock: any WallClock = SystemWallClock()
  ) {
    self.store = store
    self.feed = feed ?? ChangeFeed(store)
    self.geocoder = geocoder
    self.owner = owner
    rateOwner = owner
    self.itemLimit = itemLimit
    self.byteLimit = byteLimit
    defaultLimits = (itemLimit, byteLimit)
    self.deletedItemAge = deletedItemAge
    self.writeRate = writeRate
    self.tellsClientsApart = tellsClientsApart
    self.clock = clock
  }

  /// Returns the service of another list in the same store.
  public func list(of owner: OwnerID) -> LocalToDoService {
    var list = self
    (list.owner, list.rateOwner, list.origin, list.right) = (owner, owner, ChangeOrigin(), nil)
    list.membership = nil
    return list
  }

  /// Returns the service of another list in the same store, whose changes count in the write rate of a user.
  public func list(of owner: OwnerID, countingFor user: OwnerID) -> LocalToDoService {
    var list = list(of: owner)
    list.rateOwner = user
    return list
  }

  /// Returns the service of the same user's further list, or of one that is shared with the user. Its changes count in the
  /// user's write rate, and it has the limits that the other lists of its owner leave.
  ///
  /// - Parameter membership: the user's membership in the list; `nil` for a list of the user's own.
  func furtherList(
    _ owner: OwnerID, besides others: ListUsage, as membership: ListMembership? = nil
  ) -> LocalToDoService {
    var list = self
    (list.owner, list.membership) = (owner, membership)
    let remainingItems = itemLimit - others.itemCount
    list.remainingItems = remainingItems
    list.itemLimit = max(0, remainingItems)
    list.byteLimit = max(0, byteLimit - others.byteCount)
    return list
  }

  /// The owner whose quota the items count in: the sharing user's for a shared list, or else the user's own.
  var quotaOwner: OwnerID { membership?.owner ?? rateOwner }

  /// The list's ID among its user's lists.
  var listID: ListID { owner.list ?? .default }

  /// The ID of this list if it can be deleted. Without limits that it shares with others, the list is a default one, or that of a
  /// store without lists.
  var furtherList: ListID? { remainingItems == nil ? nil : listID }

  /// The default list of the same user.
  var defaultList: LocalToDoService {
    var list = self
    list.membership = nil
    (list.owner, list.itemLimit, list.byteLimit) = (rateOwner, defaultLimits.items, defaultLimits.bytes)
    list.remainingItems = nil
    return list
  }

  /// Returns the same list with the user's other lists, between which items can be moved.
  func besides(_ others: any OtherLists) -> LocalToDoService {
    var list = self
    list.others = others
    return list
  }

  /// Returns the same list's service with other time zones than the system's files have.
  package func using(_ timeZones: any TimeZones) -> LocalToDoService {
    var list = self
    list.timeZones = timeZones
    return list
  }
}

extension LocalToDoService: ToDoService {
  public func addItem(
    _ item: NewItem, options: SaveOptions
  ) async throws -> ToDoItem {
    let addition = Addition(of: item, store.fingerprintKey)
    try Self.rejectInvalid(addition.content.violations(at: "item"))
    try admit(1, textSize: addition.content.textSize)
    try Self.rejectInvalid(zoneViolations(of: addition.content, at: "item"))
    let lookup = try await lookUp([addition.new], required: !options.savesWithoutCoordinate) { _ in "item" }
    let reads = ItemReads(ids: [item.id], fingerprints: options.allowsDuplicate ? [] : [addition.fingerprint])
    return try await writeWithinQuota(reading: reads) { [self] transaction in
      try addition.perform(
        in: transaction, of: self, limit: itemLimit, at: clock.now(), lookup, allowingDuplicate: options.allowsDuplicate
      )
    }
  }

  public func addItems(
    _ items: [NewItem], options: SaveOptions
  ) async throws -> [ToDoItem] {
    guard (1...NewItem.batchLimit).contains(items.count) else {
      let reason = "has \(items.count) elements; 1 to \(NewItem.batchLimit) are allowed"
      throw ToDoError.invalidRequest([FieldViolation("items", reason)])
    }
    let size = items.reduce(0) { $0 + $1.content.textSize }
    guard size <= NewItem.batchTextLimit else {
      let reason = "have \(size) bytes of text; at most \(NewItem.batchTextLimit) are allowed"
      throw ToDoError.invalidRequest([FieldViolation("items", reason)])
    }
    let additions = items.map { Addition(of: $0, store.fingerprintKey) }
    try Self.rejectInvalid(additions.enumerated().flatMap { $1.content.violations(at: "items[\($0)]") })
    try admit(items.count, textSize: size)
    try Self.rejectInvalid(
      additions.enumerated().flatMap { zoneViolations(of: $1.content, at: "items[\($0)]") })
    let lookups = try await lookUp(additions.map(\.new), required: !options.savesWithoutCoordinate) { "items[\($0)]" }
    let reads = ItemReads(
      ids: additions.map(\.id), fingerprints: options.allowsDuplicate ? [] : additions.map(\.fingerprint))
    return try await writeWithinQuota(reading: reads) { [self] transaction in
      let now = clock.now()
      return try additions.map {
        try $0.perform(
          in: transaction, of: self, limit: itemLimit, at: now, lookups, allowingDuplicate: options.allowsDuplicate)
      }
    }
  }

  public func items(_ query: ItemQuery) async throws -> ItemPage {
    let listing = try await store.items(try ItemSelection(query, of: store.incarnation, now: clock.now()), of: owner)
    let items = listing.items.prefix(ofTextSize: ItemQuery.Limits.pageTextSize, \.content.textSize)
    let last = listing.hasMore || items.count < listing.items.count ? items.last : nil
    let next = last.map {
      PageToken(position: ItemPosition(of: $0, in: query.order)).encoded(for: query, of: store.incarnation)
    }
    return ItemPage(items: Array(items), nextPageToken: next, revision: stamped(listing.revision))
  }
}

extension LocalToDoService: ServedList {
  package func attributed(to origin: ChangeOrigin, under right: WriteRight?) -> LocalToDoService {
    var list = self
    list.origin = origin
    list.right = right
    return list
  }
}

extension LocalToDoService {
  /// Runs a write, for as long as the caller has the right to change the list.
  func write<Value: Sendable>(
    reading reads: ItemReads, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    var (right, membership) = (right, membership)
    while true {
      do {
        return try await store.write(owner, reading: reads) { [origin, right, membership, furtherList] transaction in
          try right?.check(in: transaction)
          try membership?.check(in: transaction)
          try furtherList?.checkAvailability(in: transaction)
          transaction.attribute(to: origin)
          return try body(transaction)
        }
      } catch is WriteRight.Outdated {
        right = try await right?.renewed()
        membership = try await membership?.renewed()
      }
    }
  }

  /// - Throws: `ToDoError.invalidItem` unless the violations are empty.
  static func rejectInvalid(_ violations: [FieldViolation]) throws {
    guard violations.isEmpty else { throw ToDoError.invalidItem(violations) }
  }
}

/// An item to add, with values that are computed outside the transaction.
private struct Addition: Sendable {
  let new: NewItem
  let fingerprint: ContentFingerprint

  var id: ItemID { new.id }
  var content: ItemContent { new.content }

  init(of item: NewItem, _ key: FingerprintKey) {
    let content = item.content.canonical
    new = NewItem(id: item.id, content: content)
    fingerprint = ContentFingerprint(of: content, key: key)
  }

  /// - Parameter lookups: the results of geocoding, by address.
  func perform(
    in transaction: any ItemTransaction, of list: LocalToDoService, limit: Int, at now: Timestamp,
    _ lookups: [String: AddressLookup], allowingDuplicate: Bool
  ) throws -> ToDoItem {
    switch try transaction.record(of: id) {
    case .present(let item, let addedAs):
      guard let addedAs, fingerprint.matches(addedAs) else { throw ToDoError.itemIDConflict(id) }
      return item
    case .deleted:
      throw ToDoError.itemIDDeleted(id)
    case .absent:
      break
    }
    let lookup = content.location?.addressToLookUp.flatMap { lookups[$0] }
    let located = content.applying(lookup)
    if !allowingDuplicate, let existing = try transaction.duplicate(of: located, fingerprint, except: id) {
      throw ToDoError.duplicateItem(id, existing: existing)
    }
    guard try transaction.itemCount < limit else { throw ToDoError.listFull(limit: limit) }
    let item = ToDoItem(
      id: id, number: try transaction.nextNumber, content: located, createdAt: now, updatedAt: now,
      revision: try transaction.revision)
    try list.checkQuota(for: item.content, in: transaction)
    try transaction.insert(item, fingerprint: fingerprint)
    if let pending = PendingLookup(after: lookup, of: item, owner: list.owner, at: now) {
      try transaction.setPendingLookup(of: id, pending)
    }
    return item
  }
}

extension ItemTransaction {
  /// Returns an incomplete item that content duplicates, or `nil`.
  ///
  /// One address may have been found at several places, for example in towns of one name. Items whose places were found over
  /// 10 km from each other are not duplicates: geocoders differ by less about one place. At most 16 items are compared.
  ///
  /// - Parameters:
  ///   - fingerprint: the fingerprint of the content.
  ///   - id: the ID of the item with the content.
  func duplicate(of content: ItemContent, _ fingerprint: ContentFingerprint, except id: ItemID) throws -> ItemID? {
    guard let match = try incompleteItem(matching: fingerprint) else { return nil }
    guard let place = content.location?.foundCoordinate else { return match == id ? nil : match }
    guard try match == id || isFar(match, from: place) else { return match }
    return try incompleteItems(matching: fingerprint, limit: 16).first { try $0 != id && !isFar($0, from: place) }
  }

  private func isFar(_ id: ItemID, from place: Coordinate) throws -> Bool {
    guard case .present(let item, _) = try record(of: id), let other = item.location?.foundCoordinate else {
      return false
    }
    return place.distance(to: other) > 10_000
  }

  func existingItem(_ id: ItemID, ifRevision: Revision?) throws -> ToDoItem {
    guard case .present(let item, _) = try record(of: id) else { throw ToDoError.itemNotFound(id) }
    guard ifRevision == nil || ifRevision == item.revision else {
      throw ToDoError.revisionMismatch(id, current: item.revision)
    }
    return item
  }
}

extension ListID {
  /// Checks in a transaction that changes this list that it still exists. Another process may have deleted it since it was looked
  /// up.
  ///
  /// - Throws: `ToDoError.listNotFound`.
  func checkAvailability(in transaction: any ItemTransaction) throws {
    guard try !transaction.isListAvailable else { return }
    throw ToDoError.listNotFound(self)
  }
}
