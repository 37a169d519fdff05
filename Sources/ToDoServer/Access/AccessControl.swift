package import RPC
package import ToDoModel
package import ToDoRules
import Waiters

/// Authenticates calls, and gives each call access to its caller's list.
///
/// A method gets lists only from here, so it cannot reach the list of another user.
package protocol AccessControl: Sendable {
  /// Returns the cached access grant for a call, or `nil` if resolving it would have to suspend.
  func cachedGrant(for call: CallContext) -> AccessGrant?

  /// Returns the cached reads of the list of the cached access grant, or `nil` if there are none.
  func cachedReads(for call: CallContext) -> (any CachedReads)?

  /// Returns the access grant for a call.
  ///
  /// - Throws: `ToDoError.unauthenticated`, `ToDoError.storeUnavailable`.
  func authenticate(_ call: CallContext) async throws -> AccessGrant

  /// Waits until the grant is no longer valid.
  ///
  /// - Throws: The error of `authenticate(_:)`, within a second after `authenticate(_:)` would throw it for the call. The
  ///   method returns without an error when its task is cancelled.
  func watch(_ grant: AccessGrant, for call: CallContext) async throws

  /// Calls `body` once when network clients have to present credentials: immediately, or when the first user is added.
  func whenCredentialsAreRequired(_ body: @escaping @Sendable () -> Void)
}

/// The access of one caller to one list.
package struct AccessGrant: Sendable {
  /// The caller's list.
  let list: any ToDoService
  /// The reads of the list that need no suspension, if the list has any.
  let cachedReads: (any CachedReads)?
  /// The owner of the list.
  let owner: OwnerID
  /// Whether the caller may only read the list.
  var isReadOnly = false
  /// Whether the grant can be revoked while a call is in flight.
  var isRevocable = false
  /// When the grant expires, or `nil` if it never does.
  var expiresAt: Timestamp?

  init(
    list: any ToDoService, owner: OwnerID, isReadOnly: Bool = false, isRevocable: Bool = false,
    expiresAt: Timestamp? = nil
  ) {
    self.list = list
    cachedReads = list as? any CachedReads
    self.owner = owner
    self.isReadOnly = isReadOnly
    self.isRevocable = isRevocable
    self.expiresAt = expiresAt
  }
}

extension AccessControl {
  /// Returns the list that a call may read.
  func list(for call: CallContext) async throws -> any ToDoService {
    try await grant(for: call).list
  }

  /// Returns the list that a call may change.
  ///
  /// - Throws: `ToDoError.readOnly`, in addition to the errors of `authenticate(_:)`.
  func listToChange(for call: CallContext) async throws -> any ToDoService {
    let grant = try await self.grant(for: call)
    guard !grant.isReadOnly else { throw ToDoError.readOnly }
    return grant.list
  }

  /// Returns the cached access grant for a call, or authenticates the call.
  func grant(for call: CallContext) async throws -> AccessGrant {
    if let grant = cachedGrant(for: call) { return grant }
    return try await authenticate(call)
  }

  /// Looks up a value for a call, without suspending if both the access grant and the value are cached.
  func lookUp<Value>(
    for call: CallContext, _ body: @escaping @Sendable (AccessGrant) throws -> Lookup<Value>
  ) throws -> Lookup<Value> {
    if let grant = cachedGrant(for: call) { return try body(grant) }
    return .pending { try await body(try await authenticate(call)).value }
  }
}

extension AccessControl {
  /// Runs a long operation, and cancels it when the grant is no longer valid.
  func withGrant(
    _ grant: AccessGrant, for call: CallContext, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard grant.isRevocable else { return try await body() }
    try await withThrowingTaskGroup { group in
      group.addTask { try await body() }
      group.addTask { try await watch(grant, for: call) }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

/// Access control that gives every caller access to one list.
package struct OpenAccess: AccessControl {
  private let grant: AccessGrant

  /// Creates access control for one service.
  package init(to service: any ToDoService) {
    grant = AccessGrant(list: service, owner: .local)
  }

  package func cachedGrant(for call: CallContext) -> AccessGrant? { grant }

  package func cachedReads(for call: CallContext) -> (any CachedReads)? { grant.cachedReads }

  package func authenticate(_ call: CallContext) async throws -> AccessGrant { grant }

  package func watch(_ grant: AccessGrant, for call: CallContext) async throws {}

  /// Does nothing, because credentials are never required.
  package func whenCredentialsAreRequired(_ body: @escaping @Sendable () -> Void) {}
}
