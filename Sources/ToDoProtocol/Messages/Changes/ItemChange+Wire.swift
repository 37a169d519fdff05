import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension ItemChange {
  /// Decodes a change of a response, or returns `nil` for a kind that this version does not support.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  init?(_ message: Todo__V1__Change, at path: @autoclosure () -> String) throws {
    let revision = try Revision(response: message.revision, at: "\(path()).revision", minimum: 1)
    switch message.kind_case {
    case TODO__V1__CHANGE__KIND_PUT:
      guard let put = message.put?.pointee else { throw RPCError.malformedResponse("\(path()).put", "must be set") }
      _ = try Timestamp(response: message.change_time, at: "\(path()).change_time")
      let item = try ToDoItem(response: put.item, at: "\(path()).put.item")
      guard item.revision == revision else {
        throw RPCError.malformedResponse(
          "\(path()).put.item.revision", "is \(item.revision); it must be that of the change, \(revision)")
      }
      self = .put(item, PutCause(put.cause))
    case TODO__V1__CHANGE__KIND_DELETED:
      guard let deleted = message.deleted?.pointee else {
        throw RPCError.malformedResponse("\(path()).deleted", "must be set")
      }
      let time = try Timestamp(response: message.change_time, at: "\(path()).change_time")
      var violations: [FieldViolation] = []
      guard let id = try ItemID(deleted.id, at: "\(path()).deleted.id", &violations) else {
        throw RPCError.malformedResponse(violations)
      }
      self = .deleted(
        ItemDeletion(
          id: id, wasDone: deleted.done != 0, revision: revision, deletedAt: time,
          isFilteredOut: deleted.filtered_out != 0))
    default: return nil
    }
  }

  /// Builds the message of the change.
  ///
  /// - Parameter user: the user who made the change; empty if unknown.
  func message(by user: String, in arena: Arena) -> UnsafeMutablePointer<Todo__V1__Change> {
    let message = arena.make(todo__v1__change__init)
    message.pointee.user = arena.bytes(user)
    message.pointee.revision = revision.number
    message.pointee.change_time = time.message(in: arena)
    switch self {
    case .put(let item, let cause):
      let put = arena.make(todo__v1__item_put__init)
      put.pointee.item = item.message(in: arena)
      put.pointee.cause = cause.wire
      message.pointee.kind_case = TODO__V1__CHANGE__KIND_PUT
      message.pointee.put = put
    case .deleted(let deletion):
      let deleted = arena.make(todo__v1__item_deleted__init)
      deleted.pointee.id = deletion.id.bytes(in: arena)
      deleted.pointee.done = deletion.wasDone ? 1 : 0
      deleted.pointee.filtered_out = deletion.isFilteredOut ? 1 : 0
      message.pointee.kind_case = TODO__V1__CHANGE__KIND_DELETED
      message.pointee.deleted = deleted
    }
    return message
  }
}

extension ItemChange {
  /// Decodes a repeated field, with the user of each change, and skips changes of kinds that this version does not support.
  ///
  /// - Parameters:
  ///   - field: the field path.
  ///   - limit: the maximum number of changes.
  static func attributed(
    _ changes: UnsafeMutablePointer<UnsafeMutablePointer<Todo__V1__Change>?>?, count: Int, at field: String,
    upTo limit: Int = .max
  ) throws -> [(change: ItemChange, user: String)] {
    let elements = UnsafeBufferPointer(start: changes, count: count)
    let attributed: [(change: ItemChange, user: String)?]
    attributed = try elements.messages(of: field, upTo: limit) { message, path in
      guard let change = try ItemChange(message, at: path()) else { return nil }
      return (change: change, user: try message.user.line("\(path()).user", upTo: ResponseLimits.name))
    }
    return attributed.compactMap { $0 }
  }
}

extension PutCause {
  /// Creates a cause. A cause that this version does not support counts as an edit, which may have changed any field.
  init(_ wire: Todo__V1__PutCause) {
    self = Self.allCases.first { $0.wire == wire } ?? .edited
  }

  var wire: Todo__V1__PutCause {
    switch self {
    case .added: TODO__V1__PUT_CAUSE__PUT_CAUSE_ADDED
    case .edited: TODO__V1__PUT_CAUSE__PUT_CAUSE_EDITED
    case .checked: TODO__V1__PUT_CAUSE__PUT_CAUSE_CHECKED
    case .unchecked: TODO__V1__PUT_CAUSE__PUT_CAUSE_UNCHECKED
    case .located: TODO__V1__PUT_CAUSE__PUT_CAUSE_LOCATED
    case .restored: TODO__V1__PUT_CAUSE__PUT_CAUSE_RESTORED
    case .reverted: TODO__V1__PUT_CAUSE__PUT_CAUSE_REVERTED
    }
  }
}
