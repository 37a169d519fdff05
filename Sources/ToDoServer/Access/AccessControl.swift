package import RPC
package import ToDoModel
import ToDoRules
import Waiters

/// Lets calls in, each to the list that is its caller's.
///
/// The list comes from here and from nowhere else, so a method cannot reach another's.
package protocol AccessControl: Sendable {
  /// What the caller may do, when that is known without a look at anything that would have to be waited for.
  func cachedGrant(for call: CallContext) -> AccessGrant?

  /// What the caller may do.
  ///
  /// - Throws: `ToDoError.unauthenticated`, `ToDoError.storeUnavailable`.
  func authenticate(_ call: CallContext) async throws -> AccessGrant

  /// Returns when the task is cancelled, and throws as `admit` does within a second of when it would.
  func watch(_ grant: AccessGrant, of call: CallContext) async throws

  /// Calls `body` once, when network clients have to present credentials: now, or when the first user was added.
  func whenCredentialsAreRequired(_ body: @escaping @Sendable () -> Void)
}

/// What a caller may do.
package struct AccessGrant: Sendable {
  let list: any ToDoService
  /// The reads of the list that need no suspension, if the list has any.
  let cachedReads: (any CachedReads)?
  let owner: OwnerID
  /// Whether the caller may look and not touch.
  var isReadOnly = false
  /// Whether it can be taken away while the call lasts.
  var isRevocable = false
  /// Until when it is good at most; `nil`: for ever.
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
  /// The list to look at.
  func list(for call: CallContext) async throws -> any ToDoService {
    try await grant(for: call).list
  }

  /// The list to change.
  ///
  /// - Throws: `ToDoError.readOnly` besides.
  func listToChange(for call: CallContext) async throws -> any ToDoService {
    let grant = try await self.grant(for: call)
    guard !grant.isReadOnly else { throw ToDoError.readOnly }
    return grant.list
  }

  func grant(for call: CallContext) async throws -> AccessGrant {
    if let known = cachedGrant(for: call) { return known }
    return try await authenticate(call)
  }

  /// Looks a value up on behalf of the caller, without suspending if both the access and the value are cached.
  func lookUp<Value>(
    for call: CallContext, _ body: @escaping @Sendable (AccessGrant) throws -> Lookup<Value>
  ) throws -> Lookup<Value> {
    if let known = cachedGrant(for: call) { return try body(known) }
    return .pending { try await body(try await authenticate(call)).value }
  }
}

extension AccessControl {
  /// Runs what lasts, and ends it when the caller would no longer be let in.
  func withGrant(
    _ grant: AccessGrant, of call: CallContext, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard grant.isRevocable else { return try await body() }
    try await withThrowingTaskGroup { group in
      group.addTask { try await body() }
      group.addTask { try await watch(grant, of: call) }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

/// Lets everybody in to one list.
package struct OpenAccess: AccessControl {
  private let grant: AccessGrant

  package init(to service: any ToDoService) {
    grant = AccessGrant(list: service, owner: .local)
  }

  package func cachedGrant(for call: CallContext) -> AccessGrant? { grant }

  package func authenticate(_ call: CallContext) async throws -> AccessGrant { grant }

  package func watch(_ grant: AccessGrant, of call: CallContext) async throws {}

  /// Never calls `body`.
  package func whenCredentialsAreRequired(_ body: @escaping @Sendable () -> Void) {}
}
