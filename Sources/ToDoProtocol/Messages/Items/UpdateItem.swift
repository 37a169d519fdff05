import CToDoProtos
package import ToDoModel
import ToDoProtobuf

/// The request of `UpdateItem`.
package struct UpdateItemRequest: Equatable, Sendable {
  /// The ID of the item.
  package var id: ItemID
  /// The edit of the item's content.
  package var edit: ItemEdit
  /// The revision that the item must have, or `nil` for any.
  package var ifRevision: Revision?
  /// What the caller has confirmed.
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
      let item = arena.make(todo__v1__item__init)
      item.pointee.id = request.id.bytes(in: arena)
      let mask = arena.make(google__protobuf__field_mask__init)
      let paths = request.edit.write(to: item, arena)
      mask.pointee.n_paths = paths.count
      mask.pointee.paths = arena.array(paths.map { arena.bytes($0.rawValue) })
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
  /// The violations are those of decoding and, if there are any, also those of the rules for items.
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
    let location = content.location
    if paths.contains(.title) { title = content.title }
    if paths.contains(.description) { itemDescription = FieldEdit(content.itemDescription) }
    if !paths.isDisjoint(with: [.due, .dueTime, .dueDate]) { due = FieldEdit(content.due) }
    if paths.contains(.location) {
      self.location = location.map(LocationEdit.set) ?? .clear
    } else if !paths.isDisjoint(with: [.locationName, .locationAddress, .locationCoordinate]) {
      self.location = .edit(
        name: paths.contains(.locationName) ? FieldEdit(location?.name) : .keep,
        address: paths.contains(.locationAddress) ? FieldEdit(location?.address) : .keep,
        coordinate: paths.contains(.locationCoordinate) ? FieldEdit(location?.coordinate) : .keep,
        provenance: paths.contains(.locationCoordinate) && location?.coordinate != nil ? location?.provenance : nil)
    }
    if paths.contains(.tags) { tags = content.tags }
    if paths.contains(.priority) { priority = FieldEdit(content.priority) }
    if paths.contains(.steps) { steps = content.steps }
    if paths.contains(.waitTime) { waitUntil = FieldEdit(content.waitUntil) }
    if paths.contains(.repetition) { repetition = FieldEdit(content.repetition) }
    if paths.contains(.reminders) { reminders = content.reminders }
  }

  /// Sets the fields of `item`, and returns the paths of the edited fields.
  fileprivate func write(to item: UnsafeMutablePointer<Todo__V1__Item>, _ arena: Arena) -> [UpdatePath] {
    var paths: [UpdatePath] = []
    if let title {
      paths.append(.title)
      item.pointee.title = arena.bytes(title)
    }
    if itemDescription != .keep {
      paths.append(.description)
      item.pointee.description = arena.bytes(itemDescription.value ?? "")
    }
    if due != .keep {
      paths.append(.due)
      due.value?.write(to: item, arena)
    }
    paths += writeMarks(to: item, arena)
    switch location {
    case .keep: break
    case .clear: paths.append(.location)
    case .set(let location):
      paths.append(.location)
      item.pointee.location = location.message(in: arena, isConfirmed: true)
    case .edit(let name, let address, let coordinate, let provenance):
      if name != .keep { paths.append(.locationName) }
      if address != .keep { paths.append(.locationAddress) }
      if coordinate != .keep { paths.append(.locationCoordinate) }
      let location = Location(
        name: name.value, address: address.value, coordinate: coordinate.value, provenance: provenance)
      item.pointee.location = location.message(in: arena, isConfirmed: true)
    }
    return paths
  }

  /// Sets the fields that do not distinguish duplicates, and returns the paths of those that are edited.
  private func writeMarks(to item: UnsafeMutablePointer<Todo__V1__Item>, _ arena: Arena) -> [UpdatePath] {
    var paths: [UpdatePath] = []
    if let tags {
      paths.append(.tags)
      (item.pointee.tags, item.pointee.n_tags) = tags.message(in: arena)
    }
    if priority != .keep {
      paths.append(.priority)
      item.pointee.priority = priority.value.wire
    }
    if let steps {
      paths.append(.steps)
      (item.pointee.steps, item.pointee.n_steps) = steps.message(in: arena)
    }
    if waitUntil != .keep {
      paths.append(.waitTime)
      item.pointee.wait_time = waitUntil.value?.message(in: arena)
    }
    if repetition != .keep {
      paths.append(.repetition)
      item.pointee.repetition = repetition.value?.message(in: arena)
    }
    if let reminders {
      paths.append(.reminders)
      (item.pointee.reminders, item.pointee.n_reminders) = reminders.message(in: arena)
    }
    return paths
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
