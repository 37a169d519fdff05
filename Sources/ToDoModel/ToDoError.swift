/// Why an operation on the list failed.
///
/// The table in ToDoProtocol gives each case its RPC code and its reason; nothing matches errors by their text.
public enum ToDoError: Error, Equatable, Sendable {
  /// An item's content breaks rules; names every one of them.
  case invalidItem([FieldViolation])
  /// Another argument is out of its range; names every one of them.
  case invalidRequest([FieldViolation])
  /// The page token was not made for this listing, or was changed.
  case invalidPageToken
  /// There is no such item in the caller's list.
  case itemNotFound(ItemID)
  /// An undone item with the same title, due, location and description is in the list already.
  case duplicateItem(ItemID, existing: ItemID)
  /// The identity was used to add an item with other content.
  case itemIDConflict(ItemID)
  /// The identity belonged to an item that was deleted.
  case itemIDDeleted(ItemID)
  /// The item changed since the revision that the caller demanded.
  case revisionMismatch(ItemID, current: Revision)
  /// Changes after this revision are no longer kept; `oldest` is the earliest revision to ask after.
  case revisionCompacted(oldest: Revision)
  /// The list has not reached this revision.
  case revisionInFuture(current: Revision)
  /// The watcher asks for events more slowly than changes happen; it can resume from the revision.
  case watchTooSlow(resume: Revision)
  /// No coordinate is known for these addresses, and nothing was saved. A violation's field is an address.
  case addressNotFound([FieldViolation])
  /// The geocoder could not be asked, and nothing was saved.
  case geocoderUnavailable(detail: String)
  /// The list has as many items as a list may have. Nothing was saved.
  case listFull(limit: Int)
  /// The caller did not show who they are, or what they showed is worth nothing.
  case unauthenticated
  /// The caller may look at the list and not change it.
  case readOnly
  /// Too many calls for this list are waiting. Nothing was changed.
  case listBusy(retryAfter: Duration)
  /// The list changed faster than its rate limit allows. Nothing was changed.
  case writeRateExceeded(retryAfter: Duration)
  /// Too many calls from the caller's network address presented invalid credentials.
  case tooManyFailedAttempts(retryAfter: Duration)
  /// The list would exceed its storage quota. Nothing was changed.
  case quotaExceeded(limitBytes: Int)
  /// The list is another incarnation than the one that the caller named.
  case listReplaced
  /// The store has no room left. Nothing was changed.
  case storeFull
  /// The store cannot be reached or does not work. Nothing was changed unless the detail says otherwise.
  case storeUnavailable(detail: String)
}

/// One rule that one field breaks.
public struct FieldViolation: Hashable, Sendable {
  /// The path of the field in the request, in the schema's names, for example `items[3].location.name`.
  public let field: String
  /// What is wrong, to follow the field's name: "must not be blank".
  public let reason: String

  public init(_ field: String, _ reason: String) {
    self.field = field
    self.reason = reason
  }
}

extension ToDoError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidItem(let violations), .invalidRequest(let violations):
      violations.map { "\($0.field) \($0.reason)" }.joined(separator: "; ")
    case .invalidPageToken: "the page token does not belong to this listing"
    case .itemNotFound(let id): "there is no item \(id)"
    case .duplicateItem(_, let existing): "the same item is in the list already: \(existing)"
    case .itemIDConflict(let id): "the identifier \(id) was used for an item with other content"
    case .itemIDDeleted(let id): "the item \(id) was deleted, and its identifier is not used again"
    case .revisionMismatch(let id, let current): "the item \(id) has changed: it is at revision \(current)"
    case .revisionCompacted(let oldest): "changes before revision \(oldest) are no longer kept"
    case .revisionInFuture(let current): "the list has only reached revision \(current)"
    case .watchTooSlow(let resume): "the watch was too slow; it can resume after revision \(resume)"
    case .addressNotFound(let violations):
      violations.map { "\($0.field) \($0.reason)" }.joined(separator: "; ")
    case .geocoderUnavailable(let detail): "the geocoder is unavailable: \(detail)"
    case .listFull(let limit): "the list is full: it may have \(limit) items"
    case .unauthenticated: "the call bears no credentials that are good for this server"
    case .readOnly: "these credentials allow to look at the list, not to change it"
    case .listBusy(let delay): "too many calls for this list are waiting; retry after \(delay.retryText)"
    case .writeRateExceeded(let delay): "the list is changing too fast; retry after \(delay.retryText)"
    case .tooManyFailedAttempts(let delay):
      "too many calls from this address presented invalid credentials; retry after \(delay.retryText)"
    case .quotaExceeded(let limit):
      "the list would exceed its storage quota of \(limit) bytes; delete items to make room"
    case .listReplaced: "the list was replaced, for example by a restored backup; list everything again"
    case .storeFull: "the store is full"
    case .storeUnavailable(let detail): "the store is unavailable: \(detail)"
    }
  }
}

extension Duration {
  /// The duration in milliseconds, rounded up, for error messages.
  fileprivate var retryText: String {
    let (seconds, attoseconds) = components
    return "\(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000) ms"
  }
}
