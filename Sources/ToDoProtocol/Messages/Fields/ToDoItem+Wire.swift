import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension ToDoItem {
  /// Decodes an item of a response.
  ///
  /// - Throws: `RPCError.malformedResponse` if the item is missing or violates a rule of the schema. The rules are
  ///   those that the server applies to requests, and those for fields that only the server sets.
  init(response message: UnsafeMutablePointer<Todo__V1__Item>?, at path: @autoclosure () -> String) throws {
    guard let message else { throw RPCError.malformedResponse(path(), "must be set") }
    try self.init(response: message.pointee, at: path())
  }

  init(response message: Todo__V1__Item, at path: @autoclosure () -> String) throws {
    var violations: [FieldViolation] = []
    let id = try ItemID(message.id, at: "\(path()).id", &violations)
    let content = try ItemContent(message, at: path(), &violations) { location, _ in
      try Location.Provenance(response: location, at: "\(path()).location")
    }
    violations += content.violations(at: path(), excluding: violations)
    guard let id, violations.isEmpty else { throw RPCError.malformedResponse(violations) }
    self.init(
      id: id, number: try ItemNumber(response: message.number, at: "\(path()).number"), content: content,
      createdAt: try Timestamp(response: message.create_time, at: "\(path()).create_time"),
      updatedAt: try Timestamp(response: message.update_time, at: "\(path()).update_time"),
      completedAt: try message.completeTime(at: path()),
      revision: try Revision(response: message.revision, at: "\(path()).revision", minimum: 1),
      deletion: try Deletion(response: message, at: path()))
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__Item> {
    let message = content.message(in: arena, isConfirmed: false)
    message.pointee.id = id.bytes(in: arena)
    message.pointee.done = isDone ? 1 : 0
    message.pointee.create_time = createdAt.message(in: arena)
    message.pointee.update_time = updatedAt.message(in: arena)
    message.pointee.complete_time = completedAt?.message(in: arena)
    message.pointee.revision = revision.number
    message.pointee.number = number.value
    if let deletion {
      message.pointee.delete_time = deletion.deletedAt.message(in: arena)
      message.pointee.expire_time = deletion.expiresAt.message(in: arena)
    }
    return message
  }
}

extension ToDoItem.Deletion {
  /// Decodes the deletion of an item, or returns `nil` if the item is not deleted.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  fileprivate init?(response message: Todo__V1__Item, at path: @autoclosure () -> String) throws {
    guard message.delete_time != nil else {
      guard message.expire_time == nil else {
        throw RPCError.malformedResponse("\(path()).expire_time", "must not be set while the item is not deleted")
      }
      return nil
    }
    self.init(
      deletedAt: try Timestamp(response: message.delete_time, at: "\(path()).delete_time"),
      expiresAt: try Timestamp(response: message.expire_time, at: "\(path()).expire_time"))
  }
}

extension ItemNumber {
  /// - Throws: `RPCError.malformedResponse` for a negative number.
  fileprivate init(response number: Int64, at path: @autoclosure () -> String) throws {
    guard number >= 0 else { throw RPCError.malformedResponse(path(), "must not be negative") }
    self.init(number)
  }
}

extension Todo__V1__Item {
  /// Whether the item has tags, a priority, steps, a time until which it waits, a repetition or reminders.
  fileprivate var hasMarks: Bool {
    n_tags > 0 || n_steps > 0 || priority != TODO__V1__PRIORITY__PRIORITY_UNSPECIFIED || wait_time != nil
      || repetition != nil || n_reminders > 0
  }

  /// Returns the time when the item was checked, or `nil` while it is not done.
  fileprivate func completeTime(at path: @autoclosure () -> String) throws -> Timestamp? {
    guard done != 0 else {
      guard complete_time == nil else {
        throw RPCError.malformedResponse("\(path()).complete_time", "must not be set while the item is not done")
      }
      return nil
    }
    return try Timestamp(response: complete_time, at: "\(path()).complete_time")
  }
}

extension NewItem {
  /// Decodes an item to add, and ignores fields that only a server sets.
  ///
  /// - Throws: `RPCError` with the field's name if a text is not UTF-8.
  init(
    _ message: Todo__V1__Item, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]
  ) throws {
    let id = try ItemID(message.id, at: "\(path()).id", &violations)
    let content = try ItemContent(request: message, at: path(), &violations)
    self.init(id: id ?? ItemID(high: 0, low: 0), content: content)
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__Item> {
    let message = content.message(in: arena, isConfirmed: true)
    message.pointee.id = id.bytes(in: arena)
    return message
  }
}

extension ItemContent {
  /// Decodes the fields that a user writes, which are all fields of an item in a request.
  init(
    request message: Todo__V1__Item, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]
  ) throws {
    try self.init(message, at: path(), &violations) { location, violations in
      try Location.Provenance(request: location, at: "\(path()).location", &violations)
    }
    if priority == nil, message.priority != TODO__V1__PRIORITY__PRIORITY_UNSPECIFIED {
      violations.append(FieldViolation("\(path()).priority", "is \(message.priority.rawValue), which is no priority"))
    }
  }

  /// - Parameter provenance: decodes the origin of the coordinate.
  fileprivate init(
    _ message: Todo__V1__Item, at path: @autoclosure () -> String, _ violations: inout [FieldViolation],
    provenance: (Todo__V1__Location, inout [FieldViolation]) throws -> Location.Provenance?
  ) throws {
    self.init(
      unmarked: try message.title.text("\(path()).title"),
      try message.description.optionalText("\(path()).description"), DueDate(message, at: path(), &violations),
      try message.location.map {
        let provenance = try provenance($0.pointee, &violations)
        return try Location($0.pointee, at: "\(path()).location", provenance: provenance, &violations)
      })
    if message.hasMarks { try readMarks(message, at: path(), &violations) }
  }

  private mutating func readMarks(
    _ message: Todo__V1__Item, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]
  ) throws {
    setMarks(
      tags: message.n_tags == 0
        ? [] : try [String](message.tags, message.n_tags, at: "\(path()).tags", limit: Limits.tags, &violations),
      priority: Priority(level: Int(message.priority.rawValue)),
      steps: message.n_steps == 0 ? [] : try [Step](message, at: "\(path()).steps", &violations),
      waitUntil: message.wait_time.flatMap { Timestamp($0.pointee, at: "\(path()).wait_time", &violations) },
      repetition: try message.repetition.flatMap {
        try Repetition($0.pointee, at: "\(path()).repetition", &violations)
      },
      reminders: message.n_reminders == 0 ? [] : try [Reminder](message, at: "\(path()).reminders", &violations))
  }

  func message(in arena: Arena, isConfirmed: Bool) -> UnsafeMutablePointer<Todo__V1__Item> {
    let message = arena.make(todo__v1__item__init)
    message.pointee.title = arena.bytes(title)
    if let itemDescription { message.pointee.description = arena.bytes(itemDescription) }
    due?.write(to: message, arena)
    message.pointee.location = location?.message(in: arena, isConfirmed: isConfirmed)
    if hasMarks { writeMarks(to: message, arena) }
    return message
  }

  private func writeMarks(to message: UnsafeMutablePointer<Todo__V1__Item>, _ arena: Arena) {
    (message.pointee.tags, message.pointee.n_tags) = tags.message(in: arena)
    message.pointee.priority = priority.wire
    if !steps.isEmpty { (message.pointee.steps, message.pointee.n_steps) = steps.message(in: arena) }
    message.pointee.wait_time = waitUntil?.message(in: arena)
    message.pointee.repetition = repetition?.message(in: arena)
    if !reminders.isEmpty { (message.pointee.reminders, message.pointee.n_reminders) = reminders.message(in: arena) }
  }
}

extension Priority? {
  var wire: Todo__V1__Priority { Todo__V1__Priority(rawValue: UInt32(self?.level ?? 0)) }
}

extension [String] {
  /// Decodes a list of texts, unless it has too many elements.
  ///
  /// - Throws: `RPCError` with the name of the element if a text is not UTF-8.
  init(
    _ texts: UnsafePointer<ProtobufCBinaryData>?, _ count: Int, at path: @autoclosure () -> String, limit: Int,
    _ violations: inout [FieldViolation]
  ) throws {
    self.init()
    guard count > 0 else { return }
    guard count <= limit else {
      violations.append(FieldViolation(path(), "has \(count) elements; at most \(limit) are allowed"))
      return
    }
    for (index, text) in UnsafeBufferPointer(start: texts, count: count).enumerated() {
      append(try text.text("\(path())[\(index)]"))
    }
  }

  func message(in arena: Arena) -> (UnsafeMutablePointer<ProtobufCBinaryData>?, Int) {
    isEmpty ? (nil, 0) : (arena.array(map { arena.bytes($0) }), count)
  }
}
