import CToDoProtos
package import ToDoModel
import ToDoProtobuf
import ToDoRPC

/// The request of `ShareList`.
package struct ShareListRequest: Equatable, Sendable {
  /// The list's ID.
  package var id: ListID
  /// The user's name.
  package var user: String
  /// The user's role.
  package var role: ListRole

  /// Creates a request.
  package init(id: ListID, user: String, role: ListRole) {
    self.id = id
    self.user = user
    self.role = role
  }
}

/// The request of `UnshareList`.
package struct UnshareListRequest: Equatable, Sendable {
  /// The list's ID.
  package var id: ListID
  /// The user's name.
  package var user: String

  /// Creates a request.
  package init(id: ListID, user: String) {
    self.id = id
    self.user = user
  }
}

extension Codec where Value == ShareListRequest {
  static var shareListRequest: Codec {
    Codec(todo__v1__share_list_request__init) { message in
      guard let role = ListRole(message.role), role != .owner else {
        throw ToDoError.invalidRequest([FieldViolation("role", "is \(message.role.rawValue), which is no role")])
      }
      return ShareListRequest(
        id: try ListID(message.id, at: "id"), user: try message.user.text("user"), role: role)
    } encode: { request, message, arena in
      message.pointee.id = request.id.bytes(in: arena)
      message.pointee.user = arena.bytes(request.user)
      message.pointee.role = request.role.wire
    }
  }
}

extension Codec where Value == UnshareListRequest {
  static var unshareListRequest: Codec {
    Codec(todo__v1__unshare_list_request__init) { message in
      UnshareListRequest(id: try ListID(message.id, at: "id"), user: try message.user.text("user"))
    } encode: { request, message, arena in
      message.pointee.id = request.id.bytes(in: arena)
      message.pointee.user = arena.bytes(request.user)
    }
  }
}

extension ListMember {
  /// The maximum size of a user's name, in bytes.
  static let nameBytes = 64

  /// Decodes a member of a response.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  init(response message: Todo__V1__ListMember, at path: @autoclosure () -> String) throws {
    let user = try message.user.line("\(path()).user", upTo: Self.nameBytes)
    guard !user.isEmpty else { throw RPCError.malformedResponse("\(path()).user", "must not be empty") }
    guard message.role != ListRole.owner.wire else {
      throw RPCError.malformedResponse("\(path()).role", "must be specified")
    }
    self.init(user: user, role: ListRole(response: message.role), isInvited: message.invited != 0)
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__ListMember> {
    let message = arena.make(todo__v1__list_member__init)
    message.pointee.user = arena.bytes(user)
    message.pointee.role = role.wire
    message.pointee.invited = isInvited ? 1 : 0
    return message
  }
}

extension ListRole {
  /// Creates a role, or returns `nil` for an unknown one. The owner of a list has none in the schema.
  init?(_ wire: Todo__V1__ListRole) {
    guard let match = Self.allCases.first(where: { $0.wire == wire }) else { return nil }
    self = match
  }

  /// Decodes a response's role. One that a later schema has added permits at least reading.
  init(response wire: Todo__V1__ListRole) { self = ListRole(wire) ?? .viewer }

  var wire: Todo__V1__ListRole {
    switch self {
    case .owner: TODO__V1__LIST_ROLE__LIST_ROLE_UNSPECIFIED
    case .editor: TODO__V1__LIST_ROLE__LIST_ROLE_EDITOR
    case .viewer: TODO__V1__LIST_ROLE__LIST_ROLE_VIEWER
    }
  }
}
