import CToDoProtos
import ToDoModel
import ToDoProtobuf

extension [Step] {
  /// Decodes the steps of an item, unless there are too many.
  ///
  /// - Throws: `RPCError` with the name of the step if a text is not UTF-8.
  init(_ item: Todo__V1__Item, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]) throws {
    self.init()
    let limit = ItemContent.Limits.steps
    guard item.n_steps <= limit else {
      violations.append(FieldViolation(path(), "has \(item.n_steps) elements; at most \(limit) are allowed"))
      return
    }
    reserveCapacity(item.n_steps)
    for (index, message) in UnsafeBufferPointer(start: item.steps, count: item.n_steps).enumerated() {
      guard let message = message?.pointee else { continue }
      append(Step(try message.text.text("\(path())[\(index)].text"), isDone: message.done != 0))
    }
  }

  func message(in arena: Arena) -> (UnsafeMutablePointer<UnsafeMutablePointer<Todo__V1__Step>?>?, Int) {
    guard !isEmpty else { return (nil, 0) }
    let messages = map { step in
      let message = arena.make(todo__v1__step__init)
      message.pointee.text = arena.bytes(step.text)
      message.pointee.done = step.isDone ? 1 : 0
      return Optional(message)
    }
    return (arena.array(messages), count)
  }
}

extension Timestamp {
  /// Decodes the time of a field that is set.
  init?(
    _ message: Google__Protobuf__Timestamp, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]
  ) {
    guard let time = Timestamp(message) else {
      violations.append(FieldViolation(path(), "must be a time in the years 1 to 9999"))
      return nil
    }
    self = time
  }
}
