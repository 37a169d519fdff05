import ToDoModel

/// A user's membership in a list of another user, which may end while a call is in flight.
///
/// Every transaction of the call checks the membership against the store, so a change is never made after it has ended.
final class ListMembership: Sendable {
  /// The owner of the sharing user's default list.
  let owner: OwnerID
  /// The member's role.
  let role: ListRole
  /// The account version at which the membership was read.
  private let version: Int64
  private let renewal: @Sendable () async throws -> ListMembership

  /// Creates a membership.
  ///
  /// - Parameters:
  ///   - owner: the owner of the sharing user's default list.
  ///   - version: the account version at which the membership was read.
  ///   - renewal: reads the membership again. Throws `ToDoError.listNotFound` if it has ended.
  init(
    owner: OwnerID, role: ListRole, version: Int64, renewal: @escaping @Sendable () async throws -> ListMembership
  ) {
    self.owner = owner
    self.role = role
    self.version = version
    self.renewal = renewal
  }

  /// The owner in whose write rate the changes by all members of the same user's lists count. It is not that user's own rate,
  /// so that members cannot keep the user from changing the lists, or from ending their membership.
  var rateOwner: OwnerID { OwnerID("members:\(owner.name)") }

  /// - Throws: `ToDoError.notPermitted` if the member may only read the list.
  func checkRole() throws(ToDoError) {
    guard role != .viewer else { throw .notPermitted(needed: .editor) }
  }

  /// Checks the membership in the transaction that makes the changes, before it makes any.
  ///
  /// - Throws: `WriteRight.Outdated` if the membership may have ended, `ToDoError.notPermitted`.
  func check(in transaction: any ItemTransaction) throws {
    try checkRole()
    guard try transaction.accessVersion <= version else { throw WriteRight.Outdated() }
  }

  /// Returns the membership at the current account version.
  ///
  /// - Throws: `ToDoError.listNotFound`, `ToDoError.storeUnavailable`.
  func renewed() async throws -> ListMembership { try await renewal() }
}
