public import ToDoModel
public import ToDoRules

/// The calendar feeds of all users, as a server provides them.
public struct UserFeeds: Sendable {
  fileprivate let accounts: any AccountStore
  fileprivate let origin: String
  fileprivate let writeRate: WriteRateLimiter?
  fileprivate let clock: any WallClock

  /// The path at which feeds are read.
  package static let path = "/calendar.ics"
  /// The cost of a change in the write rate: as much as a list's change, because every connection checks its access again.
  static let changeCost = 50

  /// Provides the feeds of a store.
  ///
  /// - Parameters:
  ///   - accounts: the users and tokens.
  ///   - origin: the scheme and the authority at which calendar programs reach the server; empty if it is not known.
  ///   - writeRate: limits the changes of each user, together with the changes of the user's lists.
  public init(
    _ accounts: any AccountStore, at origin: String = "", writeRate: WriteRateLimiter? = nil,
    clock: any WallClock = SystemWallClock()
  ) {
    self.accounts = accounts
    self.origin = origin
    self.writeRate = writeRate
    self.clock = clock
  }

  /// Returns the feeds of a caller.
  ///
  /// - Throws: `ToDoError.invalidRequest` if the caller is no user.
  func feeds(of grant: AccessGrant) throws -> some CalendarFeedService {
    guard let user = UserName(grant.user) else {
      let reason = "must be those of a user of the server, because feeds belong to a user"
      throw ToDoError.invalidRequest([FieldViolation("credentials", reason)])
    }
    return feeds(of: user, owner: grant.account, under: grant.right)
  }

  /// Returns the feeds of a user.
  ///
  /// - Parameters:
  ///   - owner: the owner of the user's default list.
  ///   - right: the caller's right to change the list; `nil` if nothing can end it.
  package func feeds(
    of user: UserName, owner: OwnerID, under right: WriteRight? = nil
  ) -> some CalendarFeedService {
    FeedsOfUser(feeds: self, user: user, owner: owner, right: right)
  }
}

/// The calendar feeds of one user, which are tokens in the account store.
private struct FeedsOfUser: CalendarFeedService {
  let feeds: UserFeeds
  let user: UserName
  let owner: OwnerID
  let right: WriteRight?

  /// Creates a feed of a list, which the user can read.
  func createCalendarFeed(of list: ListID?) async throws -> CreatedCalendarFeed {
    guard try await calendarFeeds().count < CalendarFeed.limit else {
      throw ToDoError.tooManyCalendarFeeds(limit: CalendarFeed.limit)
    }
    try feeds.writeRate?.admit(UserFeeds.changeCost, textSize: 0, to: owner)
    let token = LinkToken(for: .feed)
    let record = AccessToken(
      id: token.id, user: user, secretHash: token.secretHash, isReadOnly: true, scope: .calendarFeed(list),
      createdAt: feeds.clock.now(), expiresAt: nil)
    try await feeds.accounts.add(record, under: right)
    return CreatedCalendarFeed(
      feed: CalendarFeed(id: CalendarFeedID(number: token.id.number), list: list, createdAt: record.createdAt),
      path: "\(UserFeeds.path)?feed=\(token)", origin: feeds.origin)
  }

  func calendarFeeds() async throws -> [CalendarFeed] {
    try await feeds.accounts.tokens(of: user).compactMap { token in
      guard case .calendarFeed(let list) = token.scope else { return nil }
      return CalendarFeed(id: CalendarFeedID(number: token.id.number), list: list, createdAt: token.createdAt)
    }
  }

  func revokeCalendarFeed(_ id: CalendarFeedID) async throws {
    try feeds.writeRate?.admit(UserFeeds.changeCost, textSize: 0, to: owner)
    // Other tokens, and those of other users, are none of the caller's feeds.
    guard try await calendarFeeds().contains(where: { $0.id == id }) else { throw ToDoError.calendarFeedNotFound(id) }
    do { try await feeds.accounts.revokeToken(AccessTokenID(number: id.number)) } catch is AccountError {
      throw ToDoError.calendarFeedNotFound(id)
    }
  }
}
