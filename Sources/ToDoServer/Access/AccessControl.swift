package import ToDoModel
package import ToDoRPC
package import ToDoRules
package import ToDoSupport

/// Authenticates calls, and gives each call access to its caller's list.
///
/// A method gets lists only from here, so it cannot reach the list of another user.
package protocol AccessControl: Sendable {
  /// Returns the cached reads of the list that the cached access grant is for, or `nil` if there are none.
  func cachedReads(for call: CallContext) -> (any ServedList)?

  /// Looks up the access grant for a call.
  ///
  /// Only credentials that require a read of the store are pending, so that a flood of invalid ones creates no tasks.
  ///
  /// - Throws: `ToDoError.unauthenticated`. The pending work throws `ToDoError.storeUnavailable`, too.
  func lookUpGrant(for call: CallContext) throws -> Lookup<AccessGrant>

  /// Waits until the grant is no longer valid.
  ///
  /// - Throws: The error of `lookUpGrant(for:)`, within a second after `lookUpGrant(for:)` would throw it for the call. The
  ///   method returns without an error when its task is canceled.
  func watch(_ grant: AccessGrant, for call: CallContext) async throws

  /// The lists of users besides their default ones; `nil` if the server has none.
  var userLists: UserLists? { get }

  /// The targets of users' reminders; `nil` if the server sends none.
  var notifications: UserNotifications? { get }

  /// The users who are at the places of their items; `nil` if the server takes no reports.
  var positions: PositionBook? { get }

  /// The reminders of users; `nil` if the server keeps no states of them.
  var reminders: ReminderBook? { get }

  /// The calendar feeds of users; `nil` if the server has none.
  var feeds: UserFeeds? { get }

  /// The links that sign browsers in; `nil` if the server shows no page.
  var signInLinks: SignInLinks? { get }

  /// Calls `body` once when network clients have to present credentials: immediately, or when the first user is added.
  func whenCredentialsAreRequired(_ body: @escaping @Sendable () -> Void)
}

/// The access of one caller to one list.
package struct AccessGrant: Sendable {
  private enum List: Sendable {
    /// A list in this process.
    case served(any ServedList)
    case other(any ToDoService)

    init(_ list: any ToDoService) {
      self = (list as? any ServedList).map(List.served) ?? .other(list)
    }
  }

  private let source: List
  /// The name of the caller; empty if it has no credentials.
  let user: String
  /// The owner under which the items of the list are stored.
  let owner: OwnerID
  /// The owner of the caller's default list.
  let account: OwnerID
  /// The list, unless it is the caller's default list.
  let furtherList: ListID?
  /// Whether the caller may only read the list.
  var isReadOnly = false
  /// Whether the grant can be revoked while a call is in flight.
  var isRevocable = false
  /// The time when the grant expires, or `nil` if it never does.
  var expiresAt: Timestamp?
  /// The right to change the list; `nil` if nothing can end it.
  var right: WriteRight?

  init(
    list: any ToDoService, owner: OwnerID, user: String = "", isReadOnly: Bool = false, isRevocable: Bool = false,
    expiresAt: Timestamp? = nil
  ) {
    source = List(list)
    self.user = user
    self.owner = owner
    account = owner
    furtherList = nil
    self.isReadOnly = isReadOnly
    self.isRevocable = isRevocable
    self.expiresAt = expiresAt
  }

  /// Creates the same access to another list of the caller.
  init(_ grant: AccessGrant, to items: any ToDoService, in list: ListID) {
    source = List(items)
    owner = OwnerID(list)
    furtherList = list
    (user, account, isReadOnly, isRevocable) = (grant.user, grant.account, grant.isReadOnly, grant.isRevocable)
    (expiresAt, right) = (grant.expiresAt, grant.right)
  }

  /// The caller's list.
  var list: any ToDoService {
    switch source {
    case .served(let list): list
    case .other(let list): list
    }
  }

  /// The list, if it is in this process.
  var servedList: (any ServedList)? {
    if case .served(let list) = source { list } else { nil }
  }

  /// Returns the list for the changes of a call.
  ///
  /// - Throws: `ToDoError.readOnly`.
  func listToChange(for call: CallContext) throws -> any ToDoService {
    guard !isReadOnly else { throw ToDoError.readOnly }
    return attributedList(for: call)
  }

  /// Returns the list with the user and the client of a call.
  func attributedList(for call: CallContext) -> any ToDoService {
    switch source {
    case .served(let list): list.attributed(to: ChangeOrigin(user: user, client: call.clientName), under: right)
    case .other(let list): list
    }
  }

  /// Verifies that the list's next write would be admitted.
  ///
  /// - Throws: `ToDoError.readOnly` or `ToDoError.writeRateExceeded`.
  func checkWrite() throws {
    guard !isReadOnly else { throw ToDoError.readOnly }
    try servedList?.checkWriteRate()
  }
}

extension AccessControl {
  /// Returns the access grant for a call, after a read of the store if one is required.
  func grant(for call: CallContext) async throws -> AccessGrant { try await lookUpGrant(for: call).value }

  /// Looks up a value for a call, without suspending if both the access grant and the value are ready.
  func lookUp<Value>(
    for call: CallContext, _ body: @escaping @Sendable (AccessGrant) throws -> Lookup<Value>
  ) throws -> Lookup<Value> {
    switch try lookUpGrant(for: call) {
    case .ready(let grant): try body(grant)
    case .pending(let work): .pending { try await body(try await work()).value }
    }
  }
}

extension AccessControl {
  /// Returns the access grant for a call that concerns a list's items.
  ///
  /// - Throws: `ToDoError.listNotFound`.
  func grant(for call: CallContext, in list: ListID) async throws -> AccessGrant {
    try await lookUp(for: call, in: list) { .ready($0) }.value
  }

  /// Looks up a value for a call that concerns a list's items.
  ///
  /// - Throws: `ToDoError.listNotFound`; the pending work, too.
  func lookUp<Value>(
    for call: CallContext, in list: ListID, _ body: @escaping @Sendable (AccessGrant) throws -> Lookup<Value>
  ) throws -> Lookup<Value> {
    guard !list.isDefault else { return try lookUp(for: call, body) }
    return try lookUp(for: call) { grant in
      guard let userLists else { throw ToDoError.listNotFound(list) }
      switch try userLists.lookUpItems(in: list, of: grant.account) {
      case .ready(let items): return try body(AccessGrant(grant, to: items, in: list)).takingTurns(of: grant.account)
      case .pending(let work):
        let read = Lookup.pending { try await body(AccessGrant(grant, to: try await work(), in: list)).value }
        return read.takingTurns(of: grant.account)
      }
    }
  }
}

extension AccessControl {
  /// Runs a long operation, and cancels it when the grant is no longer valid, or when the list is deleted.
  func withGrant(
    _ grant: AccessGrant, for call: CallContext, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard grant.isRevocable || grant.furtherList != nil else { return try await body() }
    try await withThrowingTaskGroup { group in
      group.addTask { try await body() }
      if grant.isRevocable { group.addTask { try await watch(grant, for: call) } }
      if let list = grant.furtherList, let userLists {
        group.addTask { try await userLists.lists(of: grant.account).waitUntilUnavailable(list) }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

extension AccessControl {
  /// Checks that a further list can still be read. A watch can receive a change before it is canceled, although the caller's access
  /// ended first.
  ///
  /// - Throws: `ToDoError.listNotFound`.
  func checkAvailability(_ grant: AccessGrant) async throws {
    guard let list = grant.furtherList, let userLists else { return }
    try await userLists.lists(of: grant.account).checkAvailability(of: list)
  }
}

/// Access control that gives every caller access to one list.
package struct OpenAccess: AccessControl {
  private let grant: AccessGrant
  package let userLists: UserLists?

  /// None, because the callers are no users.
  package var notifications: UserNotifications? { nil }

  /// None, because all callers share the list.
  package var positions: PositionBook? { nil }

  /// None, because only users have their own states.
  package var reminders: ReminderBook? { nil }

  /// None, because the callers are no users.
  package var feeds: UserFeeds? { nil }

  /// None, because the callers are no users.
  package var signInLinks: SignInLinks? { nil }

  /// Creates access control for one service.
  ///
  /// - Parameter userLists: the lists among which the service is the default one; `nil` if there are no others.
  package init(to service: any ToDoService, userLists: UserLists? = nil) {
    grant = AccessGrant(list: service, owner: .local)
    self.userLists = userLists
  }

  package func cachedReads(for call: CallContext) -> (any ServedList)? { grant.servedList }

  package func lookUpGrant(for call: CallContext) -> Lookup<AccessGrant> { .ready(grant) }

  package func watch(_ grant: AccessGrant, for call: CallContext) async throws {}

  /// Does nothing, because credentials are never required.
  package func whenCredentialsAreRequired(_ body: @escaping @Sendable () -> Void) {}
}

extension CallContext {
  /// The client as it describes itself in the metadata `user-agent`; empty if it does not.
  var clientName: String { metadata["user-agent"].map(ChangeOrigin.client) ?? "" }
}
