import CProtos
package import ToDoModel

/// The request of the methods that concern one item: the item's ID and an optional precondition.
package struct ItemReference: Equatable, Sendable {
  /// The ID of the item.
  package var id: ItemID
  /// The revision that the item must have, or `nil` for any.
  package var ifRevision: Revision?

  /// Creates a request.
  package init(id: ItemID, ifRevision: Revision? = nil) {
    self.id = id
    self.ifRevision = ifRevision
  }
}

/// A generated message that refers to an item.
protocol ItemReferenceMessage: GeneratedMessage {
  var id: ProtobufCBinaryData { get set }
  var if_revision: Int64 { get set }
  var if_incarnation: UInt64 { get set }
}

extension Codec where Value == ItemReference {
  static func itemReference<Message: ItemReferenceMessage>(_: Message.Type) -> Codec {
    Codec({ Message.initialize($0) }) { message in
      var violations: [FieldViolation] = []
      let id = try ItemID(message.id, at: "id", &violations)
      let ifRevision = Revision?(
        precondition: message.if_revision, incarnation: message.if_incarnation, &violations)
      guard let id, violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
      return ItemReference(id: id, ifRevision: ifRevision)
    } encode: { reference, message, arena in
      message.pointee.id = reference.id.bytes(in: arena)
      message.pointee.if_revision = reference.ifRevision?.number ?? 0
      message.pointee.if_incarnation = reference.ifRevision?.wireIncarnation ?? 0
    }
  }
}
