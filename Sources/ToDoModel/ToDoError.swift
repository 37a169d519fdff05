/// An error of an operation on a list.
///
/// `ErrorTable` in ToDoProtocol maps each case to an RPC status code and a reason. No code matches errors by their
/// text.
@nonexhaustive
public enum ToDoError: Error, Equatable, Sendable {
  /// An item's content is invalid. Lists every violation.
  case invalidItem([FieldViolation])
  /// Another argument is invalid. Lists every violation.
  case invalidRequest([FieldViolation])
  /// The page token belongs to another query or was altered.
  case invalidPageToken
  /// The item does not exist in the caller's list.
  case itemNotFound(ItemID)
  /// The list contains an incomplete item with the same title, due date, location and description.
  case duplicateItem(ItemID, existing: ItemID)
  /// The ID was used to add an item with other content.
  case itemIDConflict(ItemID)
  /// The ID belongs to a deleted item.
  case itemIDDeleted(ItemID)
  /// The item to restore is not deleted.
  case itemNotDeleted(ItemID)
  /// The item changed after the revision that the caller required.
  case revisionMismatch(ItemID, current: Revision)
  /// The requested changes have been compacted. `oldest` is the earliest revision after which changes are retained.
  case revisionCompacted(oldest: Revision)
  /// The requested revision is later than the list's current revision.
  case revisionInFuture(current: Revision)
  /// The watcher requested events more slowly than changes happened. A new watch can resume after the revision.
  case watchTooSlow(resume: Revision)
  /// The geocoder found no match for these addresses. Nothing was saved. The field of each violation is an address.
  case addressNotFound([FieldViolation])
  /// The geocoder failed. Nothing was saved.
  case geocoderUnavailable(detail: String)
  /// The list has reached its maximum number of items. Nothing was saved.
  case listFull(limit: Int)
  /// The call presents no valid credentials.
  case unauthenticated
  /// The caller's credentials permit reading the list but not changing it.
  case readOnly
  /// Too many calls for the list are queued. Nothing was changed.
  case listBusy(retryAfter: Duration)
  /// The list changed faster than its rate limit allows. Nothing was changed.
  case writeRateExceeded(retryAfter: Duration)
  /// Too many calls from the caller's network address presented invalid credentials.
  case tooManyFailedAttempts(retryAfter: Duration)
  /// The list would exceed its storage quota. Nothing was changed.
  case quotaExceeded(limitBytes: Int)
  /// The disk or the quota is full, so a deletion cannot keep the item, nor up to `deletedCount` items deleted before.
  /// `limitBytes` is the quota if that is full. Nothing was changed.
  case deletionMustBePermanent(deletedCount: Int, limitBytes: Int?)
  /// The list does not have the incarnation that the caller specified.
  case listReplaced
  /// The caller has no such list, or it is deleted.
  case listNotFound(ListID)
  /// The caller has another list with the same name, without regard to case and accents.
  case duplicateList(ListID, existing: ListID)
  /// The ID was used to create a list with another name or color.
  case listIDConflict(ListID)
  /// The list to restore is not deleted.
  case listNotDeleted(ListID)
  /// The list changed after the version that the caller required.
  case listVersionMismatch(ListID, current: Int64)
  /// The caller has the maximum number of lists, including deleted ones.
  case tooManyLists(limit: Int)
  /// The server has no user with the name.
  case userNotFound(String)
  /// The list is shared with the maximum number of users.
  case tooManyMembers(limit: Int)
  /// The list belongs to another user, and the caller's role does not permit the change. `needed` is the least role that does.
  case notPermitted(needed: ListRole)
  /// The user has no notification target with the ID.
  case notificationTargetNotFound(NotificationTargetID)
  /// The user has the maximum number of notification targets.
  case tooManyNotificationTargets(limit: Int)
  /// The service sends no notifications.
  case notificationsOff
  /// A test message was not delivered.
  case notificationFailed(detail: String)
  /// The user has no calendar feed with the ID.
  case calendarFeedNotFound(CalendarFeedID)
  /// The user has the maximum number of calendar feeds.
  case tooManyCalendarFeeds(limit: Int)
  /// The store has no space left. Nothing was changed.
  case storeFull
  /// The store failed. Nothing was changed unless the detail states otherwise.
  case storeUnavailable(detail: String)
}

/// A violation of one rule by one field.
public struct FieldViolation: Hashable, Sendable {
  /// The field's path in the request, in the names of the schema, for example `items[3].location.name`.
  public let field: String
  /// The violated rule, as a phrase that follows the field's name: "must not be blank".
  public let reason: String

  /// Creates a violation.
  public init(_ field: String, _ reason: String) {
    self.field = field
    self.reason = reason
  }
}

extension ToDoError: CustomStringConvertible {
  /// A human-readable message.
  public var description: String {
    switch self {
    case .invalidItem(let violations), .invalidRequest(let violations):
      violations.map { "\($0.field) \($0.reason)" }.joined(separator: "; ")
    case .invalidPageToken: "the page token does not belong to this listing"
    case .itemNotFound(let id): "there is no item \(id)"
    case .duplicateItem(_, let existing): "the same item is in the list already: \(existing)"
    case .itemIDConflict(let id): "the ID \(id) was used for an item with other content"
    case .itemIDDeleted(let id): "the item \(id) was deleted, and its ID cannot be reused"
    case .itemNotDeleted(let id): "the item \(id) is not deleted"
    case .revisionMismatch(let id, let current): "the item \(id) has changed: it is at revision \(current)"
    case .revisionCompacted(let oldest): "changes up to revision \(oldest) are no longer kept"
    case .revisionInFuture(let current): "the list has only reached revision \(current)"
    case .watchTooSlow(let resume): "the watch was too slow; it can resume after revision \(resume)"
    case .addressNotFound(let violations):
      violations.map { "\($0.field) \($0.reason)" }.joined(separator: "; ")
    case .geocoderUnavailable(let detail): "the geocoder is unavailable: \(detail)"
    case .listFull(let limit): "the list is full: the maximum is \(limit) items"
    case .unauthenticated: "missing or invalid credentials"
    case .readOnly: "the credentials are read-only"
    case .listBusy(let delay): "too many calls for this list are waiting; retry after \(delay.retryText)"
    case .writeRateExceeded(let delay): "the list is changing too fast; retry after \(delay.retryText)"
    case .tooManyFailedAttempts(let delay):
      "too many calls from this address presented invalid credentials; retry after \(delay.retryText)"
    case .quotaExceeded(let limit):
      "the list would exceed its storage quota of \(limit) bytes; delete items to make room"
    case .deletionMustBePermanent(let count, let limit):
      """
      \(limit == nil ? "the disk" : "the list's storage quota") is full; a deletion can't be undone then\
      \(count > 0 ? ", and removes up to \(count) deleted item\(count == 1 ? "" : "s") for good" : "")
      """
    case .listReplaced: "the list was replaced, for example by a restored backup; list everything again"
    case .listNotFound, .duplicateList, .listIDConflict, .listNotDeleted, .listVersionMismatch, .tooManyLists,
      .userNotFound, .tooManyMembers, .notPermitted:
      listDescription
    case .notificationTargetNotFound, .tooManyNotificationTargets, .notificationsOff, .notificationFailed,
      .calendarFeedNotFound, .tooManyCalendarFeeds:
      userDescription
    case .storeFull: "the store is full"
    case .storeUnavailable(let detail): "the store is unavailable: \(detail)"
    }
  }

  /// The message of an error about lists themselves; empty for any other one.
  private var listDescription: String {
    switch self {
    case .listNotFound(let id): "there is no list \(id)"
    case .duplicateList(_, let existing): "another list has the same name: \(existing)"
    case .listIDConflict(let id): "the ID \(id) was used for a list with another name or color"
    case .listNotDeleted(let id): "the list \(id) is not deleted"
    case .listVersionMismatch(let id, let current): "the list \(id) has changed: it is at version \(current)"
    case .tooManyLists(let limit): "the maximum is \(limit) lists besides the default one, including deleted ones"
    case .userNotFound(let name): "there is no user \(name)"
    case .tooManyMembers(let limit): "the list is shared with the maximum of \(limit) users"
    case .notPermitted(.owner): "only the list's owner can do that"
    case .notPermitted: "you can only view this list; ask its owner to let you edit it"
    default: ""
    }
  }

  /// The message for an error in notifications or calendar feeds; empty for any other one.
  private var userDescription: String {
    switch self {
    case .notificationTargetNotFound(let id): "there is no notification target \(id)"
    case .tooManyNotificationTargets(let limit): "the maximum is \(limit) notification targets; remove one first"
    case .notificationsOff: "this server sends no notifications; its operator can turn them on"
    case .notificationFailed(let detail): "the message was not delivered: \(detail)"
    case .calendarFeedNotFound(let id): "there is no calendar feed \(id)"
    case .tooManyCalendarFeeds(let limit): "the maximum is \(limit) calendar feeds; revoke one first"
    default: ""
    }
  }
}

extension Duration {
  /// The duration in milliseconds, rounded up.
  fileprivate var retryText: String {
    let (seconds, attoseconds) = components
    return "\(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000) ms"
  }
}
