/// A list that a user owns or shares, without its items.
public struct UserList: Identifiable, Hashable, Sendable {
  /// The list's ID.
  public let id: ListID
  /// The name, unique among the owner's lists that are not deleted.
  public var name: String
  /// The color to show the list in.
  public var color: ListColor
  /// The position among the owner's lists, the smallest first.
  public var order: Int32
  /// The time when the list was created. `nil` for the default list.
  public var createdAt: Timestamp?
  /// The time when the list itself, not its items, last changed. `nil` for a default list that was never changed.
  public var updatedAt: Timestamp?
  /// The version of the user's lists when this list last changed.
  public var version: Int64
  /// The deletion of a list that can be restored. `nil` for a list that is not deleted.
  public var deletion: ToDoItem.Deletion?
  /// The user's role in the list.
  public var role = ListRole.owner
  /// The name of the user who shares the list; empty for a list of one's own.
  public var ownerUser = ""
  /// Whether the user has not accepted the list yet. Its items cannot be read before.
  public var isInvitation = false
  /// The users with whom the list is shared, by name, without the owner. Empty for an invitation.
  public var members: [ListMember] = []

  /// Creates a list that the user owns and shares with nobody.
  public init(
    id: ListID, name: String, color: ListColor = .none, order: Int32 = 0, createdAt: Timestamp? = nil,
    updatedAt: Timestamp? = nil, version: Int64 = 0, deletion: ToDoItem.Deletion? = nil
  ) {
    self.id = id
    self.name = name
    self.color = color
    self.order = order
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.version = version
    self.deletion = deletion
  }

  /// Whether the list was deleted, and can be restored.
  public var isDeleted: Bool { deletion != nil }

  /// The default list of a user who has never changed it.
  public static let inbox = UserList(id: .default, name: "Inbox")
}

/// A user's permissions in a list.
@nonexhaustive
public enum ListRole: String, CaseIterable, Sendable {
  /// Everything: the list belongs to the user.
  case owner
  /// Read and change the items.
  case editor
  /// Read the items.
  case viewer
}

/// A user with whom a list is shared.
public struct ListMember: Hashable, Sendable {
  /// The user's name.
  public var user: String
  /// The user's role: `editor` or `viewer`.
  public var role: ListRole
  /// Whether the user has not accepted the list yet.
  public var isInvited: Bool

  /// Creates a member.
  public init(user: String, role: ListRole, isInvited: Bool = false) {
    self.user = user
    self.role = role
    self.isInvited = isInvited
  }
}

/// A color of a list.
@nonexhaustive
public enum ListColor: String, CaseIterable, Sendable {
  case none, red, orange, yellow, green, teal, blue, purple, pink, gray
}

/// A list to create: an ID that the caller generates, and the fields that a user chooses.
public struct NewList: Identifiable, Hashable, Sendable {
  /// The list's ID.
  public let id: ListID
  /// The name.
  public var name: String
  /// The color.
  public var color: ListColor

  /// Creates a list to create.
  public init(id: ListID = ListID(), name: String, color: ListColor = .none) {
    self.id = id
    self.name = name
    self.color = color
  }
}

/// A change to a list; `nil` retains a field.
public struct ListEdit: Hashable, Sendable {
  /// The new name.
  public var name: String?
  /// The new color.
  public var color: ListColor?
  /// The new position.
  public var order: Int32?

  /// Creates an edit.
  public init(name: String? = nil, color: ListColor? = nil, order: Int32? = nil) {
    self.name = name
    self.color = color
    self.order = order
  }

  /// Whether the edit retains every field.
  public var isEmpty: Bool { name == nil && color == nil && order == nil }
}

/// The lists of a user at one version.
public struct ListSet: Hashable, Sendable {
  /// The version, which grows with every change of the lists themselves, not of their items.
  public var version: Int64
  /// The lists, by order and then by name, without invitations. One of them is the default list. Names of lists that others share
  /// can be those of the user's own lists.
  public var lists: [UserList]

  /// Creates a set.
  public init(version: Int64, lists: [UserList]) {
    self.version = version
    self.lists = lists
  }
}

extension UserList {
  /// Whether several users have accepted the list.
  package var isShared: Bool { role != .owner || members.contains { !$0.isInvited } }

  /// The limits of lists.
  public enum Limits {
    /// The maximum number of a user's lists besides the default one, deleted ones included.
    public static let lists = 100
    /// The maximum number of lists that others share with a user, with invitations and with deleted lists that the user had
    /// accepted.
    public static let sharedLists = 100
    /// The maximum number of lists that a user reads: the default one, the other lists of one's own, and shared ones.
    public static let readable = 1 + lists + sharedLists
    /// The maximum number of lists to which one user has invited another one who has not answered yet.
    public static let invitations = 10
    /// The maximum number of users with whom a list is shared.
    public static let members = 32
    /// The maximum number of items that one request moves to another list.
    public static let movedItems = 1_000
    /// The maximum length of a name, in characters.
    public static let nameCharacters = 64
    /// The maximum size of a name, in bytes of UTF-8.
    public static let nameBytes = 200
  }

  /// Returns the violations of a name.
  ///
  /// - Parameter field: the path of the name in the request.
  public static func violations(ofName name: String, at field: String) -> [FieldViolation] {
    func violation(_ reason: String) -> [FieldViolation] { [FieldViolation(field, reason)] }
    if name.allSatisfy(\.isWhitespace) { return violation("must not be blank") }
    if name.utf8.count > Limits.nameBytes || name.count > Limits.nameCharacters {
      return violation(
        "has \(name.count) characters and \(name.utf8.count) bytes; at most \(Limits.nameCharacters) characters and "
          + "\(Limits.nameBytes) bytes are allowed")
    }
    if name.unicodeScalars.contains(where: \.isControl) { return violation("must not contain control characters") }
    if name.contains("/") { return violation("must not contain '/'") }
    if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
      return violation("must not begin or end with white space")
    }
    return []
  }
}
