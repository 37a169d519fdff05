import CToDoProtos
package import ToDoModel
import ToDoProtobuf

/// The request of `UpdateList`.
package struct UpdateListRequest: Equatable, Sendable {
  /// The list's ID.
  package var id: ListID
  /// The edit of the list.
  package var edit: ListEdit
  /// The version that the list must have, or `nil` for any.
  package var ifVersion: Int64?

  /// Creates a request.
  package init(id: ListID, edit: ListEdit, ifVersion: Int64? = nil) {
    self.id = id
    self.edit = edit
    self.ifVersion = ifVersion
  }
}

extension Codec where Value == NewList {
  static var createListRequest: Codec {
    Codec(todo__v1__create_list_request__init) { message in
      NewList(
        id: try ListID(message.id, at: "id"), name: try message.name.text("name"),
        color: try ListColor(request: message.color, at: "color"))
    } encode: { list, message, arena in
      message.pointee.id = list.id.bytes(in: arena)
      message.pointee.name = arena.bytes(list.name)
      message.pointee.color = list.color.wire
    }
  }
}

extension Codec where Value == ListID {
  static func listReference<Message: ListReferenceMessage>(_: Message.Type) -> Codec {
    Codec({ Message.initialize($0) }) { message in
      try ListID(message.id, at: "id")
    } encode: { id, message, arena in
      message.pointee.id = id.bytes(in: arena)
    }
  }
}

extension Codec where Value == UpdateListRequest {
  static var updateListRequest: Codec {
    Codec(todo__v1__update_list_request__init) { message in
      guard let list = message.list?.pointee else { throw ToDoError.missing("list") }
      let id = try ListID(list.id, at: "list.id")
      var violations: [FieldViolation] = []
      let paths = try message.update_mask?.pointee.listPaths(&violations) ?? []
      if paths.isEmpty, violations.isEmpty {
        violations.append(FieldViolation("update_mask", "must name at least one field"))
      }
      if message.if_version < 0 { violations.append(FieldViolation("if_version", "must not be negative")) }
      guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
      return UpdateListRequest(
        id: id,
        edit: ListEdit(
          name: paths.contains(.name) ? try list.name.text("list.name") : nil,
          color: paths.contains(.color) ? try ListColor(request: list.color, at: "list.color") : nil,
          order: paths.contains(.order) ? list.order : nil),
        ifVersion: message.if_version == 0 ? nil : message.if_version)
    } encode: { request, message, arena in
      let list = arena.make(todo__v1__list__init)
      list.pointee.id = request.id.bytes(in: arena)
      list.pointee.name = arena.bytes(request.edit.name ?? "")
      list.pointee.color = (request.edit.color ?? .none).wire
      list.pointee.order = request.edit.order ?? 0
      let mask = arena.make(google__protobuf__field_mask__init)
      let paths = request.edit.paths
      mask.pointee.n_paths = paths.count
      mask.pointee.paths = arena.array(paths.map { arena.bytes($0.rawValue) })
      message.pointee.list = list
      message.pointee.update_mask = mask
      message.pointee.if_version = request.ifVersion ?? 0
    }
  }
}

/// The fields of a list that an update mask can name.
private enum ListPath: String {
  case name, color, order
}

extension ListEdit {
  fileprivate var paths: [ListPath] {
    [name == nil ? nil : .name, color == nil ? nil : .color, order == nil ? nil : .order].compactMap(\.self)
  }
}

extension Google__Protobuf__FieldMask {
  /// - Throws: `RPCError` if a path is not UTF-8.
  fileprivate func listPaths(_ violations: inout [FieldViolation]) throws -> Set<ListPath> {
    var found: Set<ListPath> = []
    for path in UnsafeBufferPointer(start: paths, count: n_paths) {
      let text = try path.text("update_mask")
      guard let path = ListPath(rawValue: text) else {
        violations = [
          FieldViolation("update_mask", "has an unknown path: '\(String(text.unicodeScalars.prefix(100)))'")
        ]
        continue
      }
      found.insert(path)
    }
    return found
  }
}

/// A request for lists, with whether to include deleted ones.
package struct ListsQuery: Equatable, Sendable {
  /// Whether to include deleted lists that can be restored.
  package var includingDeleted: Bool
  /// Whether to include shared lists that the caller has not accepted. A watch includes none.
  package var includingInvitations: Bool

  /// Creates a request.
  package init(includingDeleted: Bool = false, includingInvitations: Bool = false) {
    self.includingDeleted = includingDeleted
    self.includingInvitations = includingInvitations
  }
}

extension Codec where Value == ListsQuery {
  static var listListsRequest: Codec {
    Codec(todo__v1__list_lists_request__init) { message in
      ListsQuery(
        includingDeleted: message.show_deleted != 0, includingInvitations: message.show_invitations != 0)
    } encode: { query, message, _ in
      message.pointee.show_deleted = query.includingDeleted ? 1 : 0
      message.pointee.show_invitations = query.includingInvitations ? 1 : 0
    }
  }

  static var watchListsRequest: Codec {
    Codec(todo__v1__watch_lists_request__init) { message in
      ListsQuery(includingDeleted: message.show_deleted != 0)
    } encode: { query, message, _ in
      message.pointee.show_deleted = query.includingDeleted ? 1 : 0
    }
  }
}

extension Codec where Value == UserList {
  static func list<Message: ListResponse>(_: Message.Type) -> Codec {
    Codec({ Message.initialize($0) }) { message in
      try UserList(response: message.list, at: "list")
    } encode: { list, message, arena in
      message.pointee.list = list.message(in: arena)
    }
  }
}

extension Codec where Value == ListSet {
  static func listSet<Message: ListSetMessage>(_: Message.Type) -> Codec {
    Codec({ Message.initialize($0) }) { message in
      try ListSet(response: message.set)
    } encode: { set, message, arena in
      message.pointee.set = set.message(in: arena)
    }
  }
}
