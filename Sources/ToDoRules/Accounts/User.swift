public import ToDoModel

/// Someone with a list on a server.
public struct User: Equatable, Sendable {
  public let name: UserName
  /// Whose list theirs is. A user who comes later under the same name has another.
  public let list: OwnerID
  /// The user of the operating system who is let in as this one, over a Unix socket.
  public let unixUser: UInt32?
  /// Whoever shows a certificate for this name is let in as this one: a distinguished name as RFC 4514 writes it.
  public let certificateSubject: String?
  public let createdAt: Timestamp

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

/// What a user is called: 1 to 64 of the letters `a` to `z`, digits, and `.`, `_`, `-`, `@`, beginning with a letter or
/// a digit.
public struct UserName: Hashable, Sendable, LosslessStringConvertible {
  public let description: String

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
