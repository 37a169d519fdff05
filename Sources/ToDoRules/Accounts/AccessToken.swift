public import ToDoModel

/// The stored record of an access token, which authenticates its bearer as a user. The token itself is not stored.
public struct AccessToken: Equatable, Sendable {
  /// The purpose of a token.
  @nonexhaustive
  public enum Scope: Hashable, Sendable {
    /// All methods.
    case account
    /// Reading the calendar feed of a list, or of all lists if it is `nil`, and nothing else.
    case calendarFeed(ListID?)
    /// Signing a browser in, once.
    case signIn
    /// All methods, for a browser that a link has signed in.
    case session
  }

  /// Whether the token permits all methods.
  public var permitsMethods: Bool { scope == .account || scope == .session }

  /// The token's ID.
  public let id: AccessTokenID
  /// The user that the token authenticates.
  public let user: UserName
  /// The SHA-256 hash of the token's secret: 32 bytes.
  public let secretHash: [UInt8]
  /// Whether the token permits reading only.
  public let isReadOnly: Bool
  /// The purpose of the token.
  public let scope: Scope
  /// The time when the token was created.
  public let createdAt: Timestamp
  /// The time when the token expires, or `nil` if it never does.
  public let expiresAt: Timestamp?

  /// Creates a record.
  public init(
    id: AccessTokenID, user: UserName, secretHash: [UInt8], isReadOnly: Bool, scope: Scope = .account,
    createdAt: Timestamp, expiresAt: Timestamp?
  ) {
    self.id = id
    self.user = user
    self.secretHash = secretHash
    self.isReadOnly = isReadOnly
    self.scope = scope
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  /// Whether the token has expired.
  public func isExpired(at now: Timestamp) -> Bool {
    expiresAt.map { $0 <= now } ?? false
  }
}

extension AccessToken.Scope {
  private static let feed = "calendar-feed"

  /// The text that databases store; `nil` for `account`.
  package var storedText: String? {
    switch self {
    case .account: nil
    case .calendarFeed(nil): Self.feed
    case .calendarFeed(let list?): "\(Self.feed):\(list)"
    case .signIn: "sign-in"
    case .session: "session"
    }
  }

  /// Parses the text that databases store, or returns `nil` if it is of no known scope.
  package init?(storedText text: String?) {
    guard let text else {
      self = .account
      return
    }
    guard text != Self.feed else {
      self = .calendarFeed(nil)
      return
    }
    if let scope = [Self.signIn, .session].first(where: { $0.storedText == text }) {
      self = scope
      return
    }
    guard text.hasPrefix("\(Self.feed):"), let list = ListID(String(text.dropFirst(Self.feed.count + 1))) else {
      return nil
    }
    self = .calendarFeed(list)
  }
}

/// The public part of a token: 16 hexadecimal digits.
public struct AccessTokenID: Hashable, Sendable, LosslessStringConvertible {
  /// The digits as a number.
  public let number: UInt64

  /// Creates an ID from a number.
  public init(number: UInt64) {
    self.number = number
  }

  /// Creates an ID from its description.
  ///
  /// - Returns: `nil` if the text is not 16 lower-case hexadecimal digits.
  public init?(_ text: String) {
    self.init(digits: text[...].utf8)
  }

  /// Creates an ID from the bytes of its description.
  package init?(digits: Substring.UTF8View) {
    guard let bytes = [UInt8](hexadecimal: digits), bytes.count == 8 else { return nil }
    number = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The number as 16 lower-case hexadecimal digits.
  public var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
