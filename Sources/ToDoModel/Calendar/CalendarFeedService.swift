/// The operations on the calendar feeds of one user of a server.
///
/// `ToDoClient` sends them to a server. Every operation throws `ToDoError` if the service rejects it, with `invalidRequest` for the
/// field `credentials` if the caller is no user of the server. It throws `RPCError` if no response arrives, with the code
/// `unimplemented` if the server does not have the capability `calendar_feeds`.
public protocol CalendarFeedService: Sendable {
  /// Creates a feed.
  ///
  /// - Parameter list: the list that it contains, or `nil` for all lists of the user, now and later.
  /// - Returns: the feed with its address, which contains a secret and is never returned again.
  /// - Throws: `listNotFound`, `tooManyCalendarFeeds`.
  func createCalendarFeed(of list: ListID?) async throws -> CreatedCalendarFeed

  /// Returns the feeds, the earliest first.
  func calendarFeeds() async throws -> [CalendarFeed]

  /// Revokes a feed, whose address is no longer found within a second.
  ///
  /// - Throws: `calendarFeedNotFound`.
  func revokeCalendarFeed(_ id: CalendarFeedID) async throws
}

/// An address at which calendar programs read a user's items, without its secret.
public struct CalendarFeed: Identifiable, Hashable, Sendable {
  /// The feed's ID.
  public let id: CalendarFeedID
  /// The list that the feed contains; `nil` for all lists of the user.
  public var list: ListID?
  /// When the feed was created.
  public var createdAt: Timestamp

  /// Creates a value.
  public init(id: CalendarFeedID, list: ListID? = nil, createdAt: Timestamp) {
    (self.id, self.list, self.createdAt) = (id, list, createdAt)
  }

  /// The maximum number of a user's feeds.
  public static let limit = 20
}

/// Identifies a calendar feed: 16 lower-case hexadecimal digits.
public struct CalendarFeedID: Hashable, Sendable, LosslessStringConvertible {
  /// The digits as a number.
  public let number: UInt64

  /// Creates an ID from a number.
  public init(number: UInt64) { self.number = number }

  /// Parses the digits. Returns `nil` for any other text.
  public init?(_ text: String) {
    let isWellFormed = text.utf8.count == 16 && text.utf8.allSatisfy("0123456789abcdef".utf8.contains)
    guard isWellFormed, let number = UInt64(text, radix: 16) else { return nil }
    self.number = number
  }

  /// The digits.
  public var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A feed that was created.
public struct CreatedCalendarFeed: Hashable, Sendable {
  /// The feed.
  public var feed: CalendarFeed
  /// The path and the query of the address, which contain the secret.
  public var path: String
  /// The scheme and the authority of the address; empty if the server does not know its own address.
  public var origin: String

  /// Creates a value.
  public init(feed: CalendarFeed, path: String, origin: String = "") {
    (self.feed, self.path, self.origin) = (feed, path, origin)
  }
}

extension CreatedCalendarFeed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The feed without the secret.
  public var description: String { "\(feed)" }

  /// The feed without the secret.
  public var debugDescription: String { description }

  /// The feed without the secret.
  public var customMirror: Mirror { Mirror(self, children: ["feed": feed]) }
}
