public import ToDoModel

/// A user of a server, who owns a list.
public struct User: Equatable, Sendable {
  /// The user's name, unique on the server.
  public let name: UserName
  /// The owner ID of the user's list. A user who is created later under the same name has another list.
  public let list: OwnerID
  /// The Unix user that authenticates as this user over a Unix socket.
  public let unixUser: UInt32?
  /// The subject of the client certificates that authenticate this user: a distinguished name in the format of RFC
  /// 4514.
  public let certificateSubject: String?
  /// The time when the user was created.
  public let createdAt: Timestamp

  /// Creates a user.
  public init(
    name: UserName, list: OwnerID, unixUser: UInt32? = nil, certificateSubject: String? = nil, createdAt: Timestamp
  ) {
    self.name = name
    self.list = list
    self.unixUser = unixUser
    self.certificateSubject = certificateSubject
    self.createdAt = createdAt
  }
}

/// A user's name: 1 to 64 characters from `a` to `z`, digits, and `.`, `_`, `-`, `@`. The first character is a
/// letter or a digit.
public struct UserName: Hashable, Sendable, LosslessStringConvertible {
  /// The name.
  public let description: String

  /// Creates a name.
  ///
  /// - Returns: `nil` if the text is not a valid name.
  public init?(_ text: String) {
    let isWellFormed =
      (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(Self.allowed.contains)
      && text.utf8.first.map(Self.punctuation.contains) == false
    guard isWellFormed else { return nil }
    description = text
  }

  private static let punctuation = Set("._-@".utf8)
  private static let allowed = punctuation.union("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
}
