import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension UserList {
  /// Decodes a list of a response.
  ///
  /// - Throws: `RPCError.malformedResponse` if the list is missing or violates a rule of the schema.
  init(response message: UnsafeMutablePointer<Todo__V1__List>?, at path: @autoclosure () -> String) throws {
    guard let message else { throw RPCError.malformedResponse(path(), "must be set") }
    try self.init(response: message.pointee, at: path())
  }

  init(response message: Todo__V1__List, at path: @autoclosure () -> String) throws {
    let name = try message.name.line("\(path()).name", upTo: Limits.nameBytes)
    let violations = Self.violations(ofName: name, at: "\(path()).name")
    guard violations.isEmpty else { throw RPCError.malformedResponse(violations) }
    guard message.version >= 0 else {
      throw RPCError.malformedResponse("\(path()).version", "is \(message.version); it must not be negative")
    }
    func time(_ field: UnsafeMutablePointer<Google__Protobuf__Timestamp>?, _ name: String) throws -> Timestamp? {
      try field.map { try Timestamp(response: $0, at: "\(path()).\(name)") }
    }
    let deletedAt = try time(message.delete_time, "delete_time")
    let members = try UnsafeBufferPointer(start: message.members, count: message.n_members)
      .messages(of: "\(path()).members", upTo: Limits.members) { try ListMember(response: $0, at: $1()) }
    self.init(
      id: try ListID(response: message.id, at: "\(path()).id"), name: name,
      // A color of a later schema version.
      color: ListColor(message.color) ?? .none, order: message.order,
      createdAt: try time(message.create_time, "create_time"), updatedAt: try time(message.update_time, "update_time"),
      version: message.version,
      deletion: try deletedAt.map {
        ToDoItem.Deletion(
          deletedAt: $0, expiresAt: try Timestamp(response: message.expire_time, at: "\(path()).expire_time"))
      })
    role = ListRole(response: message.role)
    ownerUser = try message.owner_user.line("\(path()).owner_user", upTo: ListMember.nameBytes)
    isInvitation = message.invitation != 0
    self.members = members
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__List> {
    let message = arena.make(todo__v1__list__init)
    message.pointee.id = id.bytes(in: arena)
    message.pointee.name = arena.bytes(name)
    message.pointee.color = color.wire
    message.pointee.order = order
    message.pointee.create_time = createdAt?.message(in: arena)
    message.pointee.update_time = updatedAt?.message(in: arena)
    message.pointee.version = version
    message.pointee.delete_time = deletion?.deletedAt.message(in: arena)
    message.pointee.expire_time = deletion?.expiresAt.message(in: arena)
    message.pointee.role = role.wire
    message.pointee.owner_user = arena.bytes(ownerUser)
    message.pointee.invitation = isInvitation ? 1 : 0
    message.pointee.n_members = members.count
    message.pointee.members = arena.array(members.map { $0.message(in: arena) })
    return message
  }
}

extension ListSet {
  /// Decodes the lists of a response.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  init(response message: UnsafeMutablePointer<Todo__V1__ListSet>?) throws {
    guard let message = message?.pointee else { throw RPCError.malformedResponse("set", "must be set") }
    guard message.version >= 0 else {
      throw RPCError.malformedResponse("set.version", "is \(message.version); it must not be negative")
    }
    let lists = try UnsafeBufferPointer(start: message.lists, count: message.n_lists)
      .messages(of: "set.lists", upTo: UserList.Limits.readable) {
        try UserList(response: $0, at: $1())
      }
    self.init(version: message.version, lists: lists)
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__ListSet> {
    let message = arena.make(todo__v1__list_set__init)
    message.pointee.version = version
    message.pointee.n_lists = lists.count
    message.pointee.lists = arena.array(lists.map { $0.message(in: arena) })
    return message
  }
}

extension ListColor {
  /// Creates a color, or returns `nil` if this version does not know it.
  init?(_ wire: Todo__V1__ListColor) {
    guard let match = Self.allCases.first(where: { $0.wire == wire }) else { return nil }
    self = match
  }

  /// Decodes a color of a request.
  ///
  /// - Throws: `ToDoError.invalidRequest`.
  init(request wire: Todo__V1__ListColor, at field: String) throws {
    guard let color = ListColor(wire) else {
      throw ToDoError.invalidRequest([FieldViolation(field, "is \(wire.rawValue), which is no color")])
    }
    self = color
  }

  var wire: Todo__V1__ListColor {
    switch self {
    case .none: TODO__V1__LIST_COLOR__LIST_COLOR_UNSPECIFIED
    case .red: TODO__V1__LIST_COLOR__LIST_COLOR_RED
    case .orange: TODO__V1__LIST_COLOR__LIST_COLOR_ORANGE
    case .yellow: TODO__V1__LIST_COLOR__LIST_COLOR_YELLOW
    case .green: TODO__V1__LIST_COLOR__LIST_COLOR_GREEN
    case .teal: TODO__V1__LIST_COLOR__LIST_COLOR_TEAL
    case .blue: TODO__V1__LIST_COLOR__LIST_COLOR_BLUE
    case .purple: TODO__V1__LIST_COLOR__LIST_COLOR_PURPLE
    case .pink: TODO__V1__LIST_COLOR__LIST_COLOR_PINK
    case .gray: TODO__V1__LIST_COLOR__LIST_COLOR_GRAY
    }
  }
}
