import CToDoProtos
import NIOCore
import Testing
import ToDoModel
import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoTTRPC
import ToDoTestSupport

/// The mapping between the errors of the list and of the RPC layer, compared with itself and with the schema.
@Suite struct ErrorTableTests {
  private static let id = ItemID(high: .max, low: 0)
  private static let other = ItemID(high: 0, low: .max)

  private static let list = ListID(high: .max, low: 1)

  /// Every error, with extreme values.
  static let errors: [ToDoError] = [
    .invalidItem([FieldViolation("item.title", "must not be blank"), FieldViolation("item.due_date", "is none")]),
    .invalidItem([]),
    .invalidRequest([FieldViolation("page_size", "is -1; \u{0} “π”")]),
    .invalidPageToken,
    .itemNotFound(id),
    .duplicateItem(id, existing: other),
    .itemIDConflict(id),
    .itemIDDeleted(other),
    .itemNotDeleted(id),
    .revisionMismatch(id, current: Revision(.max)),
    .revisionMismatch(id, current: .initial),
    .revisionCompacted(oldest: Revision(7)),
    .revisionInFuture(current: .initial),
    .watchTooSlow(resume: Revision(.max)),
    .addressNotFound([FieldViolation("item.location.address", "is not known")]),
    .geocoderUnavailable(detail: "it timed out"),
    .listFull(limit: 100_000),
    .unauthenticated,
    .readOnly,
    .listBusy(retryAfter: .milliseconds(250)),
    .writeRateExceeded(retryAfter: .seconds(3) + .nanoseconds(7)),
    .tooManyFailedAttempts(retryAfter: .zero),
    .quotaExceeded(limitBytes: .max),
    .deletionMustBePermanent(deletedCount: 0, limitBytes: nil),
    .deletionMustBePermanent(deletedCount: 64, limitBytes: .max),
    .listReplaced,
    .listNotFound(.default),
    .duplicateList(list, existing: .default),
    .listIDConflict(list),
    .listNotDeleted(list),
    .listVersionMismatch(list, current: .max),
    .tooManyLists(limit: 100),
    .userNotFound("ann"),
    .tooManyMembers(limit: 32),
    .notPermitted(needed: .owner),
    .notPermitted(needed: .editor),
    .notificationTargetNotFound(NotificationTargetID(high: .max, low: 0)),
    .tooManyNotificationTargets(limit: 8),
    .notificationsOff,
    .notificationFailed(detail: "the target answered 403"),
    .calendarFeedNotFound(CalendarFeedID(number: 1)),
    .tooManyCalendarFeeds(limit: 20),
    .storeFull,
    .storeUnavailable(detail: "the disk\nis gone"),
    .storeUnavailable(detail: ""),
  ]

  @Test(arguments: errors)
  func everyError_roundTrip_isEqual(_ error: ToDoError) throws {
    #expect(ToDoError(try roundTrip(RPCError(error))) == error)
  }

  @Test func unavailableStore_hasRetryInfo() throws {
    let error = RPCError(ToDoError.storeUnavailable(detail: "the database fails over"))
    #expect(try roundTrip(error).retryAfter == .milliseconds(500))
  }

  @Test func listReasons_equalSchema() {
    let schema = Schema.reasons(of: todo__v1__error_reason__descriptor, after: "ERROR_REASON_")
    #expect(Set(Self.errors.map { RPCError($0).reason }) == schema)
  }

  @Test func rpcReasons_equalSchema() {
    let errors: [RPCError] = [
      .malformed(""), .invalidStream(""), .shuttingDown, .unimplemented(service: "", method: ""), .deadlineExceeded,
      .messageTooLarge(2, limit: 1), .decodedMessageTooLarge, .tooManyStreams(limit: 1), .internal, .cancelled,
    ]
    let schema = Schema.reasons(of: todo__v1__wire_error_reason__descriptor, after: "WIRE_ERROR_REASON_")
    // The reasons that only the health service and gRPC use.
    #expect(Set(errors.map(\.reason)).union(["SERVICE_NOT_FOUND", "UNSUPPORTED_ENCODING"]) == schema)
  }

  /// The codes in brackets in the schema's comments.
  @Test(arguments: [
    ("INVALID_ITEM", StatusCode.invalidArgument), ("INVALID_REQUEST", .invalidArgument),
    ("INVALID_PAGE_TOKEN", .invalidArgument), ("ITEM_NOT_FOUND", .notFound), ("DUPLICATE_ITEM", .alreadyExists),
    ("ITEM_ID_CONFLICT", .alreadyExists), ("ITEM_ID_DELETED", .alreadyExists), ("REVISION_MISMATCH", .aborted),
    ("REVISION_COMPACTED", .outOfRange), ("REVISION_IN_FUTURE", .outOfRange), ("WATCH_TOO_SLOW", .resourceExhausted),
    ("ADDRESS_NOT_FOUND", .notFound), ("GEOCODER_UNAVAILABLE", .unavailable), ("LIST_FULL", .resourceExhausted),
    ("UNAUTHENTICATED", .unauthenticated),
    ("READ_ONLY", .permissionDenied), ("STORE_FULL", .resourceExhausted), ("LIST_BUSY", .resourceExhausted),
    ("WRITE_RATE_EXCEEDED", .resourceExhausted), ("TOO_MANY_FAILED_ATTEMPTS", .resourceExhausted),
    ("QUOTA_EXCEEDED", .resourceExhausted), ("LIST_REPLACED", .outOfRange),
    ("STORE_UNAVAILABLE", .unavailable), ("NOTIFICATION_TARGET_NOT_FOUND", .notFound),
    ("TOO_MANY_NOTIFICATION_TARGETS", .resourceExhausted), ("NOTIFICATIONS_OFF", .unimplemented),
    ("NOTIFICATION_FAILED", .unavailable),
  ])
  func everyReason_hasCodeOfSchema(_ reason: String, _ code: StatusCode) {
    let errors = Self.errors.map(RPCError.init).filter { $0.reason == reason }
    #expect(!errors.isEmpty)
    #expect(errors.allSatisfy { $0.code == code && $0.domain == "todo.v1" })
  }

  @Test func invalidItem_withViolations_namesFields() {
    #expect(RPCError(ToDoError.invalidPageToken).violations.map(\.field) == ["page_token"])
    #expect(RPCError(Self.errors[0]).violations.map(\.field) == ["item.title", "item.due_date"])
  }

  @Test func metadata_ofEveryError_matchesSchema() {
    let (id, other) = (Self.id.description, Self.other.description)
    #expect(RPCError(.itemNotFound(Self.id)).metadata == ["item_id": id])
    #expect(
      RPCError(.duplicateItem(Self.id, existing: Self.other)).metadata == ["item_id": id, "existing_id": other])
    #expect(
      RPCError(.revisionMismatch(Self.id, current: Revision(7))).metadata
        == ["item_id": id, "current_revision": "7"])
  }

  @Test(arguments: [
    RPCError(.notFound, reason: "ITEM_NOT_FOUND", domain: "ttrpc", "another domain", metadata: ["item_id": "\(id)"]),
    RPCError(.notFound, reason: "ITEM_NOT_FOUND", domain: "todo.v1", "no id"),
    RPCError(.notFound, reason: "ITEM_NOT_FOUND", domain: "todo.v1", "no UUID", metadata: ["item_id": "7"]),
    RPCError(.alreadyExists, reason: "DUPLICATE_ITEM", domain: "todo.v1", "", metadata: ["item_id": "\(id)"]),
    RPCError(
      .aborted, reason: "REVISION_MISMATCH", domain: "todo.v1", "",
      metadata: ["item_id": "\(id)", "current_revision": "many"]),
    RPCError(.notFound, reason: "SOMETHING_LATER", domain: "todo.v1", ""),
    RPCError(.notFound, reason: "", domain: "todo.v1", ""),
  ])
  func init_whenErrorIsNotFromList_returnsNil(_ error: RPCError) {
    #expect(ToDoError(error) == nil)
  }

  private func roundTrip(_ error: RPCError) throws -> RPCError {
    let arena = Arena()
    var buffer = ByteBuffer()
    buffer.writeResponseEnvelope(error: error, arena: arena)
    return try #require(
      try buffer.withUnsafeReadableBytes { try ResponseEnvelope(decoding: $0, in: arena).error(in: arena) })
  }
}
