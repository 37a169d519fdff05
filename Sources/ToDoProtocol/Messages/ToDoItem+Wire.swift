import CProtos
import TTRPC
import ToDoModel

extension ToDoItem {
  /// Reads an item as a server sends it.
  ///
  /// - Throws: `DecodingFailure.malformed` when a server would not have sent it.
  init(_ message: Todo__V1__Item) throws {
    var violations: [FieldViolation] = []
    guard let id = try ItemID(message.id, at: "item.id", &violations),
      let createdAt = message.create_time.flatMap({ Timestamp($0.pointee) }),
      let updatedAt = message.update_time.flatMap({ Timestamp($0.pointee) })
    else { throw DecodingFailure.malformed }
    let provenance = try message.location.flatMap { try Location.Provenance($0.pointee) }
    let content = try ItemContent(message, at: "item", provenance: provenance, &violations)
    guard violations.isEmpty else { throw DecodingFailure.malformed }
    self.init(
      id: id, content: content, createdAt: createdAt, updatedAt: updatedAt,
      completedAt: message.complete_time.flatMap { Timestamp($0.pointee) }, revision: Revision(message.revision))
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__Item> {
    let message = content.message(in: arena)
    message.pointee.id = id.bytes(in: arena)
    message.pointee.done = isDone ? 1 : 0
    message.pointee.create_time = createdAt.message(in: arena)
    message.pointee.update_time = updatedAt.message(in: arena)
    message.pointee.complete_time = completedAt?.message(in: arena)
    message.pointee.revision = revision.number
    return message
  }
}

extension NewItem {
  /// Reads an item that a client wants to add; what only a server says of it is not looked at.
  ///
  /// - Throws: `RPCError` that names the field when a text is no UTF-8.
  init(
    _ message: Todo__V1__Item, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]
  ) throws {
    let id = try ItemID(message.id, at: "\(path()).id", &violations)
    let content = try ItemContent(message, at: path(), &violations)
    self.init(id: id ?? ItemID(high: 0, low: 0), content: content)
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__Item> {
    let message = content.message(in: arena)
    message.pointee.id = id.bytes(in: arena)
    return message
  }
}

extension ItemContent {
  /// Reads what a person wrote, which is all of an item that a request may say.
  ///
  /// - Parameter provenance: where the coordinate comes from, which only a server says.
  init(
    _ message: Todo__V1__Item, at path: @autoclosure () -> String, provenance: Location.Provenance? = nil,
    _ violations: inout [FieldViolation]
  ) throws {
    self.init(
      title: try message.title.text("\(path()).title"),
      itemDescription: try message.description.optionalText("\(path()).description"),
      due: DueDate(message, at: path(), &violations),
      location: try message.location.map {
        try Location($0.pointee, at: "\(path()).location", provenance: provenance, &violations)
      })
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__Item> {
    let message = arena.make(todo__v1__item__init)
    message.pointee.title = arena.bytes(title)
    if let itemDescription { message.pointee.description = arena.bytes(itemDescription) }
    due?.write(to: message, arena)
    message.pointee.location = location?.message(in: arena)
    return message
  }
}
