package import ToDoModel
package import ToDoRPC

// The mapping between the errors of the list and the RPC layer: the code, the reason and the metadata of each error.

extension RPCError {
  /// The domain of the list's error reasons.
  package static let listDomain = "todo.v1"

  /// Creates the RPC error for an error of the list.
  package init(_ error: ToDoError) {
    let (code, reason) = error.codeAndReason
    self.init(code, reason: reason, domain: Self.listDomain, error.description)
    switch error {
    case .invalidItem(let found), .invalidRequest(let found), .addressNotFound(let found):
      violations = found.prefix(Limits.violations).map { Violation(field: $0.field, reason: $0.reason) }
      self = bounded
    case .invalidPageToken:
      violations = [Violation(field: "page_token", reason: error.description)]
    case .itemNotFound(let id), .itemIDConflict(let id), .itemIDDeleted(let id), .itemNotDeleted(let id):
      metadata = [Key.item: id.description]
    case .duplicateItem(let id, let existing):
      metadata = [Key.item: id.description, Key.existing: existing.description]
    case .revisionMismatch(let id, let current):
      metadata = [Key.item: id.description, Key.current: current.description]
    case .revisionCompacted(let oldest): metadata = [Key.oldest: oldest.description]
    case .revisionInFuture(let current): metadata = [Key.current: current.description]
    case .watchTooSlow(let resume): metadata = [Key.resume: resume.description]
    case .listFull(let limit): metadata = [Key.maximum: String(limit)]
    case .listBusy(let delay), .writeRateExceeded(let delay), .tooManyFailedAttempts(let delay): retryAfter = delay
    case .quotaExceeded(let limit): metadata = [Key.maximumBytes: String(limit)]
    case .deletionMustBePermanent(let count, let limit):
      metadata = [Key.deletedCount: String(count)]
      metadata[Key.maximumBytes] = limit.map(String.init)
    case .storeFull, .unauthenticated, .readOnly, .listReplaced: break
    case .listNotFound, .duplicateList, .listIDConflict, .listNotDeleted, .listVersionMismatch, .tooManyLists,
      .userNotFound, .tooManyMembers, .notPermitted:
      metadata = error.listMetadata
    case .notificationTargetNotFound(let id): metadata = [Key.target: id.description]
    case .tooManyNotificationTargets(let limit): metadata = [Key.maximumTargets: String(limit)]
    case .calendarFeedNotFound(let id): metadata = [Key.feed: id.description]
    case .tooManyCalendarFeeds(let limit): metadata = [Key.maximumFeeds: String(limit)]
    case .notificationsOff: break
    case .notificationFailed(let detail): metadata = [Key.detail: detail]
    case .geocoderUnavailable(let detail): metadata = [Key.detail: detail]
    case .storeUnavailable(let detail):
      metadata = [Key.detail: detail]
      retryAfter = Self.storeRetryDelay
    }
  }

  /// Keeps the clients of a fleet from overloading a database that has just become available again.
  package static let storeRetryDelay = Duration.milliseconds(500)

  fileprivate enum Key {
    static let item = "item_id"
    static let existing = "existing_id"
    static let current = "current_revision"
    static let oldest = "oldest_revision"
    static let resume = "resume_revision"
    static let maximum = "max_items"
    static let maximumBytes = "max_bytes"
    static let deletedCount = "deleted_count"
    static let detail = "detail"
    static let list = "list_id"
    static let version = "current_version"
    static let maximumLists = "max_lists"
    static let user = "user"
    static let maximumMembers = "max_members"
    static let role = "needed_role"
    static let target = "target_id"
    static let maximumTargets = "max_targets"
    static let feed = "feed_id"
    static let maximumFeeds = "max_feeds"
  }
}

extension ToDoError {
  /// The status code and the reason of the error.
  package var codeAndReason: (code: StatusCode, reason: String) {
    switch self {
    case .invalidItem: (.invalidArgument, Reason.invalidItem)
    case .invalidRequest: (.invalidArgument, Reason.invalidRequest)
    case .invalidPageToken: (.invalidArgument, Reason.invalidPageToken)
    case .itemNotFound: (.notFound, Reason.itemNotFound)
    case .duplicateItem: (.alreadyExists, Reason.duplicateItem)
    case .itemIDConflict: (.alreadyExists, Reason.itemIDConflict)
    case .itemIDDeleted: (.alreadyExists, Reason.itemIDDeleted)
    case .itemNotDeleted: (.alreadyExists, Reason.itemNotDeleted)
    case .revisionMismatch: (.aborted, Reason.revisionMismatch)
    case .revisionCompacted: (.outOfRange, Reason.revisionCompacted)
    case .revisionInFuture: (.outOfRange, Reason.revisionInFuture)
    case .watchTooSlow: (.resourceExhausted, Reason.watchTooSlow)
    case .addressNotFound: (.notFound, Reason.addressNotFound)
    case .geocoderUnavailable: (.unavailable, Reason.geocoderUnavailable)
    case .listFull: (.resourceExhausted, Reason.listFull)
    case .unauthenticated: (.unauthenticated, Reason.unauthenticated)
    case .readOnly: (.permissionDenied, Reason.readOnly)
    case .listBusy: (.resourceExhausted, Reason.listBusy)
    case .writeRateExceeded: (.resourceExhausted, Reason.writeRateExceeded)
    case .tooManyFailedAttempts: (.resourceExhausted, Reason.tooManyFailedAttempts)
    case .quotaExceeded: (.resourceExhausted, Reason.quotaExceeded)
    case .deletionMustBePermanent: (.resourceExhausted, Reason.deletionMustBePermanent)
    case .listReplaced: (.outOfRange, Reason.listReplaced)
    case .listNotFound: (.notFound, Reason.listNotFound)
    case .duplicateList: (.alreadyExists, Reason.duplicateList)
    case .listIDConflict: (.alreadyExists, Reason.listIDConflict)
    case .listNotDeleted: (.alreadyExists, Reason.listNotDeleted)
    case .listVersionMismatch: (.aborted, Reason.listVersionMismatch)
    case .tooManyLists: (.resourceExhausted, Reason.tooManyLists)
    case .userNotFound: (.notFound, Reason.userNotFound)
    case .tooManyMembers: (.resourceExhausted, Reason.tooManyMembers)
    case .notPermitted: (.permissionDenied, Reason.notPermitted)
    case .notificationTargetNotFound, .tooManyNotificationTargets, .notificationsOff, .notificationFailed,
      .calendarFeedNotFound, .tooManyCalendarFeeds:
      userCodeAndReason
    case .storeFull: (.resourceExhausted, Reason.storeFull)
    case .storeUnavailable: (.unavailable, Reason.storeUnavailable)
    }
  }

  /// The status code and reason for errors in notifications and calendar feeds.
  private var userCodeAndReason: (code: StatusCode, reason: String) {
    switch self {
    case .notificationTargetNotFound: (.notFound, Reason.notificationTargetNotFound)
    case .tooManyNotificationTargets: (.resourceExhausted, Reason.tooManyNotificationTargets)
    case .notificationsOff: (.unimplemented, Reason.notificationsOff)
    case .notificationFailed: (.unavailable, Reason.notificationFailed)
    case .calendarFeedNotFound: (.notFound, Reason.calendarFeedNotFound)
    case .tooManyCalendarFeeds: (.resourceExhausted, Reason.tooManyCalendarFeeds)
    default: (.unknown, "")
    }
  }

  /// Creates the list's error that a server returned. Returns `nil` if the error is not one of the list's, or was added
  /// in a later schema version.
  package init?(_ error: RPCError) {
    guard error.domain == RPCError.listDomain else { return nil }
    let violations = error.violations.map { FieldViolation($0.field, $0.reason) }
    let id = error.metadata[RPCError.Key.item].flatMap(ItemID.init)
    switch (error.reason, id) {
    case (Reason.invalidItem, _): self = .invalidItem(violations)
    case (Reason.invalidRequest, _): self = .invalidRequest(violations)
    case (Reason.invalidPageToken, _): self = .invalidPageToken
    case (Reason.itemNotFound, let id?): self = .itemNotFound(id)
    case (Reason.itemIDConflict, let id?): self = .itemIDConflict(id)
    case (Reason.itemIDDeleted, let id?): self = .itemIDDeleted(id)
    case (Reason.itemNotDeleted, let id?): self = .itemNotDeleted(id)
    case (Reason.addressNotFound, _): self = .addressNotFound(violations)
    case (Reason.geocoderUnavailable, _): self = .geocoderUnavailable(detail: error.detail)
    case (Reason.listFull, _):
      guard let limit = error.metadata[RPCError.Key.maximum].flatMap({ Int($0) }), limit >= 0 else { return nil }
      self = .listFull(limit: limit)
    case (Reason.unauthenticated, _): self = .unauthenticated
    case (Reason.readOnly, _): self = .readOnly
    case (Reason.listBusy, _): self = .listBusy(retryAfter: error.retryAfter ?? .zero)
    case (Reason.writeRateExceeded, _): self = .writeRateExceeded(retryAfter: error.retryAfter ?? .zero)
    case (Reason.tooManyFailedAttempts, _): self = .tooManyFailedAttempts(retryAfter: error.retryAfter ?? .zero)
    case (Reason.quotaExceeded, _):
      guard let limit = error.metadata[RPCError.Key.maximumBytes].flatMap({ Int($0) }), limit >= 0 else { return nil }
      self = .quotaExceeded(limitBytes: limit)
    case (Reason.listReplaced, _): self = .listReplaced
    case (Reason.storeFull, _): self = .storeFull
    case (Reason.storeUnavailable, _): self = .storeUnavailable(detail: error.detail)
    case (Reason.duplicateItem, let id?):
      guard let existing = error.metadata[RPCError.Key.existing].flatMap(ItemID.init) else { return nil }
      self = .duplicateItem(id, existing: existing)
    default:
      let found =
        ToDoError(withRevision: error, id) ?? ToDoError(withDeletedCount: error) ?? ToDoError(withList: error)
        ?? ToDoError(withTarget: error) ?? ToDoError(withFeed: error)
      guard let found else { return nil }
      self = found
    }
  }

  /// Creates one of the errors whose metadata contain a revision.
  private init?(withRevision error: RPCError, _ id: ItemID?) {
    switch (error.reason, id) {
    case (Reason.revisionMismatch, let id?):
      guard let current = error.revision(RPCError.Key.current) else { return nil }
      self = .revisionMismatch(id, current: current)
    case (Reason.revisionCompacted, _):
      guard let oldest = error.revision(RPCError.Key.oldest) else { return nil }
      self = .revisionCompacted(oldest: oldest)
    case (Reason.revisionInFuture, _):
      guard let current = error.revision(RPCError.Key.current) else { return nil }
      self = .revisionInFuture(current: current)
    case (Reason.watchTooSlow, _):
      guard let resume = error.revision(RPCError.Key.resume) else { return nil }
      self = .watchTooSlow(resume: resume)
    default: return nil
    }
  }

  private init?(withDeletedCount error: RPCError) {
    guard error.reason == Reason.deletionMustBePermanent,
      let count = error.metadata[RPCError.Key.deletedCount].flatMap({ Int($0) }), count >= 0
    else { return nil }
    let limit = error.metadata[RPCError.Key.maximumBytes].flatMap { Int($0) }
    self = .deletionMustBePermanent(deletedCount: count, limitBytes: limit)
  }

  /// The metadata of errors about lists themselves.
  fileprivate var listMetadata: [String: String] {
    switch self {
    case .listNotFound(let id), .listIDConflict(let id), .listNotDeleted(let id): [RPCError.Key.list: id.description]
    case .duplicateList(let id, let existing):
      [RPCError.Key.list: id.description, RPCError.Key.existing: existing.description]
    case .listVersionMismatch(let id, let current):
      [RPCError.Key.list: id.description, RPCError.Key.version: String(current)]
    case .tooManyLists(let limit): [RPCError.Key.maximumLists: String(limit)]
    case .userNotFound(let name): [RPCError.Key.user: name]
    case .tooManyMembers(let limit): [RPCError.Key.maximumMembers: String(limit)]
    case .notPermitted(let role): [RPCError.Key.role: role.rawValue]
    default: [:]
    }
  }

  /// Creates an error about lists themselves.
  private init?(withList error: RPCError) {
    let id = error.metadata[RPCError.Key.list].flatMap(ListID.init)
    switch (error.reason, id) {
    case (Reason.listNotFound, let id?): self = .listNotFound(id)
    case (Reason.listIDConflict, let id?): self = .listIDConflict(id)
    case (Reason.listNotDeleted, let id?): self = .listNotDeleted(id)
    case (Reason.duplicateList, let id?):
      guard let existing = error.metadata[RPCError.Key.existing].flatMap(ListID.init) else { return nil }
      self = .duplicateList(id, existing: existing)
    case (Reason.listVersionMismatch, let id?):
      guard let current = error.metadata[RPCError.Key.version].flatMap(Int64.init), current >= 0 else { return nil }
      self = .listVersionMismatch(id, current: current)
    case (Reason.tooManyLists, _):
      guard let limit = error.metadata[RPCError.Key.maximumLists].flatMap({ Int($0) }), limit >= 0 else { return nil }
      self = .tooManyLists(limit: limit)
    default:
      guard let found = ToDoError(withMembers: error) else { return nil }
      self = found
    }
  }

  /// Creates an error about sharing.
  private init?(withMembers error: RPCError) {
    switch error.reason {
    case Reason.userNotFound:
      guard let name = error.metadata[RPCError.Key.user] else { return nil }
      self = .userNotFound(name)
    case Reason.tooManyMembers:
      guard let limit = error.metadata[RPCError.Key.maximumMembers].flatMap({ Int($0) }), limit >= 0 else { return nil }
      self = .tooManyMembers(limit: limit)
    case Reason.notPermitted:
      guard let role = error.metadata[RPCError.Key.role].flatMap(ListRole.init) else { return nil }
      self = .notPermitted(needed: role)
    default: return nil
    }
  }

  /// Creates an error about notifications.
  private init?(withTarget error: RPCError) {
    switch error.reason {
    case Reason.notificationTargetNotFound:
      guard let id = error.metadata[RPCError.Key.target].flatMap(NotificationTargetID.init) else { return nil }
      self = .notificationTargetNotFound(id)
    case Reason.tooManyNotificationTargets:
      guard let limit = error.metadata[RPCError.Key.maximumTargets].flatMap({ Int($0) }), limit >= 0 else { return nil }
      self = .tooManyNotificationTargets(limit: limit)
    case Reason.notificationsOff: self = .notificationsOff
    case Reason.notificationFailed: self = .notificationFailed(detail: error.detail)
    default: return nil
    }
  }

  /// Creates one of the errors of calendar feeds.
  private init?(withFeed error: RPCError) {
    switch error.reason {
    case Reason.calendarFeedNotFound:
      guard let id = error.metadata[RPCError.Key.feed].flatMap(CalendarFeedID.init) else { return nil }
      self = .calendarFeedNotFound(id)
    case Reason.tooManyCalendarFeeds:
      guard let limit = error.metadata[RPCError.Key.maximumFeeds].flatMap({ Int($0) }), limit >= 0 else { return nil }
      self = .tooManyCalendarFeeds(limit: limit)
    default: return nil
    }
  }

  private enum Reason {
    static let invalidItem = "INVALID_ITEM"
    static let invalidRequest = "INVALID_REQUEST"
    static let invalidPageToken = "INVALID_PAGE_TOKEN"
    static let itemNotFound = "ITEM_NOT_FOUND"
    static let duplicateItem = "DUPLICATE_ITEM"
    static let itemIDConflict = "ITEM_ID_CONFLICT"
    static let itemIDDeleted = "ITEM_ID_DELETED"
    static let itemNotDeleted = "ITEM_NOT_DELETED"
    static let revisionMismatch = "REVISION_MISMATCH"
    static let revisionCompacted = "REVISION_COMPACTED"
    static let revisionInFuture = "REVISION_IN_FUTURE"
    static let watchTooSlow = "WATCH_TOO_SLOW"
    static let addressNotFound = "ADDRESS_NOT_FOUND"
    static let geocoderUnavailable = "GEOCODER_UNAVAILABLE"
    static let listFull = "LIST_FULL"
    static let unauthenticated = "UNAUTHENTICATED"
    static let readOnly = "READ_ONLY"
    static let listBusy = "LIST_BUSY"
    static let writeRateExceeded = "WRITE_RATE_EXCEEDED"
    static let tooManyFailedAttempts = "TOO_MANY_FAILED_ATTEMPTS"
    static let quotaExceeded = "QUOTA_EXCEEDED"
    static let deletionMustBePermanent = "DELETION_MUST_BE_PERMANENT"
    static let listReplaced = "LIST_REPLACED"
    static let listNotFound = "LIST_NOT_FOUND"
    static let duplicateList = "DUPLICATE_LIST"
    static let listIDConflict = "LIST_ID_CONFLICT"
    static let listNotDeleted = "LIST_NOT_DELETED"
    static let listVersionMismatch = "LIST_VERSION_MISMATCH"
    static let tooManyLists = "TOO_MANY_LISTS"
    static let userNotFound = "USER_NOT_FOUND"
    static let tooManyMembers = "TOO_MANY_MEMBERS"
    static let notPermitted = "NOT_PERMITTED"
    static let notificationTargetNotFound = "NOTIFICATION_TARGET_NOT_FOUND"
    static let tooManyNotificationTargets = "TOO_MANY_NOTIFICATION_TARGETS"
    static let notificationsOff = "NOTIFICATIONS_OFF"
    static let notificationFailed = "NOTIFICATION_FAILED"
    static let calendarFeedNotFound = "CALENDAR_FEED_NOT_FOUND"
    static let tooManyCalendarFeeds = "TOO_MANY_CALENDAR_FEEDS"
    static let storeFull = "STORE_FULL"
    static let storeUnavailable = "STORE_UNAVAILABLE"
  }
}

extension RPCError {
  fileprivate var detail: String { metadata[Key.detail] ?? "" }

  fileprivate func revision(_ key: String) -> Revision? {
    metadata[key].flatMap(Int64.init).flatMap { $0 < 0 ? nil : Revision($0) }
  }
}
