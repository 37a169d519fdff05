public import ToDoModel

/// What is kept of a token that lets its bearer in as a user. The token itself is not kept.
public struct AccessToken: Equatable, Sendable {
  public let id: AccessTokenID
  public let user: UserName
  /// The SHA-256 hash of the token's secret: 32 bytes.
  public let secretHash: [UInt8]
  /// Whether the bearer may look and not touch.
  public let isReadOnly: Bool
  public let createdAt: Timestamp
  /// From when on it is worth nothing; `nil`: never.
  public let expiresAt: Timestamp?

  public init(
    id: AccessTokenID, user: UserName, secretHash: [UInt8], isReadOnly: Bool, createdAt: Timestamp,
    expiresAt: Timestamp?
  ) {
    self.id = id
    self.user = user
    self.secretHash = secretHash
    self.isReadOnly = isReadOnly
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  public func isExpired(at now: Timestamp) -> Bool {
    expiresAt.map { $0 <= now } ?? false
  }
}

/// The part of a token that is no secret: 16 hexadecimal digits.
public struct AccessTokenID: Hashable, Sendable, LosslessStringConvertible {
  public let number: UInt64

  public init(number: UInt64) {
    self.number = number
  }

  public init?(_ text: String) {
    guard text.utf8.count == 16, text.utf8.allSatisfy(Self.digits.contains), let number = UInt64(text, radix: 16) else {
      return nil
    }
    self.number = number
  }

  private static let digits = Set("0123456789abcdef".utf8)

  public var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
