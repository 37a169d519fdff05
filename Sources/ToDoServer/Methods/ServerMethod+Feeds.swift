import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules

extension ServerMethod {
  /// The methods of `todo.v1.FeedService`, or none if the server has no feeds.
  static func feeds(_ access: any AccessControl) -> [ServerMethod] {
    guard let feeds = access.feeds else { return [] }
    // A user's feeds are changed one at a time, so that none exceeds their number.
    let turns = OwnerTurns(concurrency: 1, waitingLimit: CalendarFeed.limit)
    let methods = [
      unary(FeedMethods.createFeed, access) { grant, list in
        guard !grant.isReadOnly else { throw ToDoError.readOnly }
        let feeds = try feeds.feeds(of: grant)
        return .pending {
          if let list, !list.isDefault {
            guard let userLists = access.userLists else { throw ToDoError.listNotFound(list) }
            _ = try await userLists.lookUpItems(in: list, of: grant.account).value
          }
          return try await turns.run(for: grant.account) { try await feeds.createCalendarFeed(of: list) }
        }
      },
      unary(FeedMethods.listFeeds, access) { grant, _ in
        let feeds = try feeds.feeds(of: grant)
        return .pending { try await feeds.calendarFeeds() }
      },
      unary(FeedMethods.revokeFeed, access) { grant, id in
        guard !grant.isReadOnly else { throw ToDoError.readOnly }
        let feeds = try feeds.feeds(of: grant)
        return .pending { try await turns.run(for: grant.account) { try await feeds.revokeCalendarFeed(id) } }
      },
    ]
    return methods.map { $0.authenticated(by: access) }
  }
}
