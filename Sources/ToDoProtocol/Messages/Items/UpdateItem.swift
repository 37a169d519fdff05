import CToDoProtos
package import ToDoModel
import ToDoProtobuf

/// The request of `UpdateItem`.
package struct UpdateItemRequest: Equatable, Sendable {
  /// The item's ID.
  package var id: ItemID
  /// The edit of the item's content.
  package var edit: ItemEdit
  /// The revision that the item must have, or `nil` for any.
  package var ifRevision: Revision?
  /// The warnings that the caller has confirmed.
  package var options: SaveOptions

  /// Creates a request.
  package init(id: ItemID, edit: ItemEdit, ifRevision: Revision?, options: SaveOptions = SaveOptions()) {
    self.id = id
    self.edit = edit
    self.ifRevision = ifRevision
    self.options = options
  }
}

extension Codec where Value == Scoped<UpdateItemRequest> {
  static var updateItemRequest: Codec {
    Codec(scoped: todo__v1__update_item_request__init) { message in
      guard let item = message.item?.pointee else { throw ToDoError.missing("item") }
      var violations: [FieldViolation] = []
      let id = try ItemID(item.id, at: "item.id", &violations)
      let ifRevision = Revision?(
        precondition: message.if_revision, incarnation: message.if_incarnation, &violations)
      let paths = try UpdatePath.read(message.update_mask?.pointee, &violations)
      var itemViolations: [FieldViolation] = []
      let edit = try ItemEdit(item, paths, &itemViolations)
      guard let id, violations.isEmpty else { throw ToDoError.invalidRequest(violations + itemViolations) }
      guard itemViolations.isEmpty else { throw ToDoError.invalidItem(itemViolations) }
      return UpdateItemRequest(
        id: id, edit: edit, ifRevision: ifRevision,
        options: SaveOptions(
          allowsDuplicate: message.allow_duplicate != 0, savesWithoutCoordinate: message.save_without_coordinate != 0))
    } encode: { request, message, arena in
      let (item, paths) = request.edit.message(in: arena)
      item.pointee.id = request.id.bytes(in: arena)
      let mask = arena.make(google__protobuf__field_mask__init)
      mask.pointee.n_paths = paths.count
      mask.pointee.paths = arena.array(paths.map { arena.bytes($0.text) })
      message.pointee.item = item
      message.pointee.update_mask = mask
      message.pointee.if_revision = request.ifRevision?.number ?? 0
      message.pointee.if_incarnation = request.ifRevision?.wireIncarnation ?? 0
      message.pointee.allow_duplicate = request.options.allowsDuplicate ? 1 : 0
      message.pointee.save_without_coordinate = request.options.savesWithoutCoordinate ? 1 : 0
    }
  }
}

// MARK: - An edit is encoded as an item and the paths of its edited fields

extension ItemEdit {
  /// Decodes the fields that the paths name, and ignores all others.
  ///
  /// The violations come from decoding and, if there are any, also from the item rules.
  fileprivate init(
    _ item: Todo__V1__Item, _ paths: Set<UpdatePath>, _ violations: inout [FieldViolation]
  ) throws {
    var found: [FieldViolation] = []
    let content = try ItemContent(request: item, at: "item", &found)
    violations = found.filter { violation in paths.contains { $0.concerns(violation.field) } }
    self.init(content, paths)
    guard !violations.isEmpty else { return }
    violations += content.violations(at: "item", excluding: found).filter { violation in
      paths.contains { $0.concerns(violation.field) }
    }
  }

  private init(_ content: ItemContent, _ paths: Set<UpdatePath>) {
    self.init()
    for field in ItemField.all where paths.contains(.field(field.name)) { field.editing?.take(content, &self) }
    let location = content.location
    if paths.contains(.location) {
      self.location = location.map(LocationEdit.set) ?? .clear
    } else if !paths.isDisjoint(with: [.field(.placeName), .field(.address), .field(.coordinate)]) {
      let setsCoordinate = paths.contains(.field(.coordinate))
      self.location = .edit(
        name: paths.contains(.field(.placeName)) ? FieldEdit(location?.name) : .keep,
        address: paths.contains(.field(.address)) ? FieldEdit(location?.address) : .keep,
        coordinate: setsCoordinate ? FieldEdit(location?.coordinate) : .keep,
        provenance: setsCoordinate && location?.coordinate != nil ? location?.provenance : nil)
    }
  }

  /// Returns an item with the edit's values, and the paths of the edited fields.
  fileprivate func message(in arena: Arena) -> (UnsafeMutablePointer<Todo__V1__Item>, [UpdatePath]) {
    var fields = self
    fields.location = .keep
    let item = ItemContent(title: "").applying(fields).message(in: arena, isConfirmed: true)
    let paths = ItemField.all.filter { $0.editing?.isEdited(self) == true }.map { UpdatePath.field($0.name) }
    return (item, paths + writeLocation(to: item, arena))
  }

  /// Sets the place of an item, and returns its paths. For a place without some parts, the paths name the cleared ones.
  private func writeLocation(to item: UnsafeMutablePointer<Todo__V1__Item>, _ arena: Arena) -> [UpdatePath] {
    switch location {
    case .keep: return []
    case .clear: return [.location]
    case .set(let location):
      item.pointee.location = location.message(in: arena, isConfirmed: true)
      return [.location]
    case .edit(let name, let address, let coordinate, let provenance):
      let location = Location(
        name: name.value, address: address.value, coordinate: coordinate.value, provenance: provenance)
      item.pointee.location = location.message(in: arena, isConfirmed: true)
      let parts: [(FieldChange.Field, isEdited: Bool)] = [
        (.placeName, name != .keep), (.address, address != .keep), (.coordinate, coordinate != .keep),
      ]
      return parts.filter(\.isEdited).map { .field($0.0) }
    }
  }
}

extension FieldEdit {
  /// Creates an edit that sets a value, or clears the field if the value is `nil`.
  fileprivate init(_ value: Value?) {
    self = value.map(FieldEdit.set) ?? .clear
  }

  fileprivate var value: Value? {
    if case .set(let value) = self { value } else { nil }
  }
}
