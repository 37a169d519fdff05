package import ToDoModel

/// A caller's right to change a list, which may end while a call is in flight.
///
/// Every transaction of the call checks the right against the store, so a change is never made after the right has ended.
package final class WriteRight: Sendable {
  /// The account version at which the caller's credentials were valid.
  private let version: Int64
  private let expiresAt: Timestamp?
  private let clock: any WallClock
  private let renewal: @Sendable () async throws -> WriteRight

  /// Creates a right.
  ///
  /// - Parameters:
  ///   - version: the account version at which the caller's credentials were valid.
  ///   - expiresAt: the time when the credentials expire; `nil` if they never do.
  ///   - clock: the clock that determines whether they have expired.
  ///   - renewal: looks the credentials up again, at the store's current account version. Throws `ToDoError.unauthenticated` or
  ///     `ToDoError.readOnly` if the right has ended.
  package init(
    version: Int64, expiresAt: Timestamp?, clock: any WallClock,
    renewal: @escaping @Sendable () async throws -> WriteRight
  ) {
    self.version = version
    self.expiresAt = expiresAt
    self.clock = clock
    self.renewal = renewal
  }

  /// Checks the right in the transaction that makes the changes, before it makes any.
  ///
  /// - Throws: `Outdated` if the right may have ended, `ToDoError.unauthenticated` if it has expired.
  func check(in transaction: any ItemTransaction) throws { try check(accessVersion: transaction.accessVersion) }

  /// Checks the right against the account version of the last change that may have ended it.
  ///
  /// - Throws: as `check(in:)`.
  func check(accessVersion: Int64) throws {
    if let expiresAt, expiresAt <= clock.now() { throw ToDoError.unauthenticated }
    guard accessVersion <= version else { throw Outdated() }
  }

  /// Returns the right at the current account version.
  ///
  /// - Throws: `ToDoError.unauthenticated`, `ToDoError.readOnly`, `ToDoError.storeUnavailable`.
  package func renewed() async throws -> WriteRight { try await renewal() }

  /// Access to the list has changed since the right was looked up.
  package struct Outdated: Error {}
}
