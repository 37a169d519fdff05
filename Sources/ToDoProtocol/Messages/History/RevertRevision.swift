import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == Scoped<Revision> {
  static var revertRevisionRequest: Codec {
    Codec(scoped: todo__v1__revert_revision_request__init) { message in
      Revision(message.revision, wireIncarnation: message.incarnation)
    } encode: { revision, message, _ in
      message.pointee.revision = revision.number
      message.pointee.incarnation = revision.wireIncarnation
    }
  }
}

extension Codec where Value == Reversal {
  static var revertRevisionResponse: Codec {
    Codec(todo__v1__revert_revision_response__init) { message in
      let revision = try Revision(response: message.revision, at: "revision")
      let refusals = try UnsafeBufferPointer(start: message.refusals, count: message.n_refusals)
        .messages(of: "refusals", upTo: HistoryQuery.Limits.changes) { try Reversal.Refusal($0, at: $1()) }
      guard message.reverted_count >= 0 else {
        throw RPCError.malformedResponse("reverted_count", "must not be negative")
      }
      guard message.refused_count >= refusals.count else {
        throw RPCError.malformedResponse("refused_count", "must be the number of refused items")
      }
      return Reversal(
        revision: Revision(revision.number, of: ListIncarnation(message.incarnation)),
        revertedCount: Int(message.reverted_count), refusals: refusals, refusedCount: Int(message.refused_count))
    } encode: { reversal, message, arena in
      message.pointee.revision = reversal.revision.number
      message.pointee.incarnation = reversal.revision.wireIncarnation
      message.pointee.reverted_count = Int64(reversal.revertedCount)
      message.pointee.n_refusals = reversal.refusals.count
      message.pointee.refusals = arena.array(reversal.refusals.map { $0.message(in: arena) })
      message.pointee.refused_count = Int64(reversal.refusedCount)
    }
  }
}

extension Reversal.Refusal {
  fileprivate init(_ message: Todo__V1__RevertRefusal, at path: @autoclosure () -> String) throws {
    self.init(
      item: try ItemID(response: message.item_id, at: "\(path()).item_id"),
      number: try ItemNumber?(response: message.number, at: "\(path()).number"),
      title: try message.title.optionalText("\(path()).title"),
      reason: Reversal.Reason.allCases.first { $0.wire == message.reason } ?? .other)
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__RevertRefusal> {
    let message = arena.make(todo__v1__revert_refusal__init)
    message.pointee.item_id = item.bytes(in: arena)
    message.pointee.number = number?.value ?? 0
    if let title { message.pointee.title = arena.bytes(title) }
    message.pointee.reason = reason.wire
    return message
  }
}

extension Reversal.Reason {
  fileprivate var wire: Todo__V1__RevertRefusalReason {
    switch self {
    case .changedSince: TODO__V1__REVERT_REFUSAL_REASON__REVERT_REFUSAL_REASON_CHANGED_SINCE
    case .notRetained: TODO__V1__REVERT_REFUSAL_REASON__REVERT_REFUSAL_REASON_NOT_RETAINED
    case .duplicate: TODO__V1__REVERT_REFUSAL_REASON__REVERT_REFUSAL_REASON_DUPLICATE
    case .other: TODO__V1__REVERT_REFUSAL_REASON__REVERT_REFUSAL_REASON_UNSPECIFIED
    }
  }
}
