import CProtos
import TTRPC
package import ToDoModel

/// What `UpdateItem` asks for.
package struct UpdateItemRequest: Sendable {
  package var id: ItemID
  package var edit: ItemEdit
  package var ifRevision: Revision?

  package init(id: ItemID, edit: ItemEdit, ifRevision: Revision?) {
    self.id = id
    self.edit = edit
    self.ifRevision = ifRevision
  }
}

extension Codec where Value == UpdateItemRequest {
  static var updateItemRequest: Codec {
    Codec(todo__v1__update_item_request__init, todo__v1__update_item_request__unpack) { message in
      guard let item = message.item?.pointee else { throw ToDoError.missing("item") }
      let ifRevision = try Revision?(precondition: message.if_revision)
      let paths = try UnsafeBufferPointer(
        start: message.update_mask?.pointee.paths, count: message.update_mask?.pointee.n_paths ?? 0
      ).map { try $0.text("update_mask") }
      return UpdateItemRequest(
        id: try ItemID(item.id, at: "item.id"), edit: try ItemEdit(item, paths: paths), ifRevision: ifRevision)
    } encode: { request, message, arena in
      let item = arena.make(todo__v1__item__init)
      item.pointee.id = request.id.bytes(in: arena)
      let mask = arena.make(google__protobuf__field_mask__init)
      let paths = request.edit.write(to: item, arena)
      mask.pointee.n_paths = paths.count
      mask.pointee.paths = arena.array(paths.map { arena.bytes($0) })
      message.pointee.item = item
      message.pointee.update_mask = mask
      message.pointee.if_revision = request.ifRevision?.number ?? 0
    }
  }
}

// MARK: - An edit is an item and the paths of the fields that count

extension ItemEdit {
  /// - Throws: `ToDoError.invalidRequest` for unknown paths, `ToDoError.invalidItem` for values that cannot be read.
  fileprivate init(_ item: Todo__V1__Item, paths: [String]) throws {
    var violations: [FieldViolation] = []
    let content = try ItemContent(item, at: "item", &violations)
    let location = content.location
    var (name, address, coordinate) = (FieldEdit<String>.keep, FieldEdit<String>.keep, FieldEdit<Coordinate>.keep)
    self.init()
    var unknown: [String] = []
    for path in paths {
      switch path {
      case "title": title = content.title
      case "description": itemDescription = FieldEdit(content.itemDescription)
      case "due", "due_time", "due_date": due = FieldEdit(content.due)
      case "location": self.location = location.map(LocationEdit.set) ?? .clear
      case "location.name": name = FieldEdit(location?.name)
      case "location.address": address = FieldEdit(location?.address)
      case "location.coordinate": coordinate = FieldEdit(location?.coordinate)
      default: unknown.append(path)
      }
    }
    guard unknown.isEmpty else {
      let names = unknown.map { "“\($0)”" }.joined(separator: ", ")
      throw ToDoError.invalidRequest([FieldViolation("update_mask", "has unknown paths: \(names)")])
    }
    if self.location == .keep, name != .keep || address != .keep || coordinate != .keep {
      self.location = .edit(name: name, address: address, coordinate: coordinate)
    }
    guard violations.isEmpty else { throw ToDoError.invalidItem(violations) }
  }

  /// Writes the values into `item`, and returns the paths of those that count.
  fileprivate func write(to item: UnsafeMutablePointer<Todo__V1__Item>, _ arena: Arena) -> [String] {
    var paths: [String] = []
    if let title {
      paths.append("title")
      item.pointee.title = arena.bytes(title)
    }
    if itemDescription != .keep {
      paths.append("description")
      item.pointee.description = arena.bytes(itemDescription.value ?? "")
    }
    if due != .keep {
      paths.append("due")
      due.value?.write(to: item, arena)
    }
    switch location {
    case .keep: break
    case .clear: paths.append("location")
    case .set(let location):
      paths.append("location")
      item.pointee.location = location.message(in: arena)
    case .edit(let name, let address, let coordinate):
      if name != .keep { paths.append("location.name") }
      if address != .keep { paths.append("location.address") }
      if coordinate != .keep { paths.append("location.coordinate") }
      let location = Location(name: name.value, address: address.value, coordinate: coordinate.value)
      item.pointee.location = location.message(in: arena)
    }
    return paths
  }
}

extension FieldEdit {
  /// Sets what is there, clears what is not.
  fileprivate init(_ value: Value?) {
    self = value.map(FieldEdit.set) ?? .clear
  }

  fileprivate var value: Value? {
    if case .set(let value) = self { value } else { nil }
  }
}
