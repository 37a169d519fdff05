import CToDoProtos
package import ToDoModel
import ToDoProtobuf

/// The request of the methods that concern one item: the item's ID and an optional precondition.
package struct SingleItemRequest: Equatable, Sendable {
  /// The item's ID.
  package var id: ItemID
  /// The revision that the item must have, or `nil` for any.
  package var ifRevision: Revision?
  /// Whether the item may become a duplicate of an incomplete item.
  package var allowingDuplicate: Bool
  /// Whether a full disk or quota may make the deletion permanent.
  package var permanentlyIfFull: Bool

  /// Creates a request.
  package init(
    id: ItemID, ifRevision: Revision? = nil, allowingDuplicate: Bool = false, permanentlyIfFull: Bool = false
  ) {
    self.id = id
    self.ifRevision = ifRevision
    self.allowingDuplicate = allowingDuplicate
    self.permanentlyIfFull = permanentlyIfFull
  }
}

/// A generated message that refers to an item.
protocol SingleItemMessage: GeneratedMessage, ScopedMessage {
  var id: ProtobufCBinaryData { get set }
  var if_revision: Int64 { get set }
  var if_incarnation: UInt64 { get set }
  /// Always 0 if the message has no such field.
  var allow_duplicate: protobuf_c_boolean { get set }
  /// Always 0 if the message has no such field.
  var permanent_if_full: protobuf_c_boolean { get set }
}

extension SingleItemMessage {
  var allow_duplicate: protobuf_c_boolean {
    get { 0 }
    set {}
  }
  var permanent_if_full: protobuf_c_boolean {
    get { 0 }
    set {}
  }
}

extension Codec where Value == Scoped<SingleItemRequest> {
  static func itemReference<Message: SingleItemMessage>(_: Message.Type) -> Codec {
    Codec(scoped: { Message.initialize($0) }) { message in
      try SingleItemRequest(message)
    } encode: { reference, message, arena in
      reference.write(to: message, arena)
    }
  }
}

extension SingleItemRequest {
  /// - Throws: `ToDoError.invalidRequest`.
  init(_ message: some SingleItemMessage) throws {
    var violations: [FieldViolation] = []
    let id = try ItemID(message.id, at: "id", &violations)
    let ifRevision = Revision?(
      precondition: message.if_revision, incarnation: message.if_incarnation, &violations)
    guard let id, violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
    self.init(
      id: id, ifRevision: ifRevision, allowingDuplicate: message.allow_duplicate != 0,
      permanentlyIfFull: message.permanent_if_full != 0)
  }

  func write(to message: UnsafeMutablePointer<some SingleItemMessage>, _ arena: Arena) {
    message.pointee.id = id.bytes(in: arena)
    message.pointee.if_revision = ifRevision?.number ?? 0
    message.pointee.if_incarnation = ifRevision?.wireIncarnation ?? 0
    message.pointee.allow_duplicate = allowingDuplicate ? 1 : 0
    message.pointee.permanent_if_full = permanentlyIfFull ? 1 : 0
  }
}
