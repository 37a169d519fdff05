import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension FieldChange {
  /// Decodes a change of a field, or returns `nil` if this version does not support the field.
  ///
  /// - Throws: `RPCError`.
  init?(_ message: Todo__V1__FieldChange, at path: @autoclosure () -> String) throws {
    let name = try message.field.line("\(path()).field", upTo: ResponseLimits.name)
    guard let field = Field(rawValue: name) else { return nil }
    self.init(
      field, from: try Value?(message.from, of: field, at: "\(path()).from"),
      to: try Value?(message.to, of: field, at: "\(path()).to"))
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__FieldChange> {
    let message = arena.make(todo__v1__field_change__init)
    message.pointee.field = arena.bytes(field.rawValue)
    message.pointee.from = from?.message(in: arena)
    message.pointee.to = to?.message(in: arena)
    return message
  }
}

extension FieldChange.Value? {
  /// Decodes the value of a field.
  fileprivate init(
    _ message: UnsafeMutablePointer<Todo__V1__FieldValue>?, of field: FieldChange.Field,
    at path: @autoclosure () -> String
  ) throws {
    guard let message else {
      self = nil
      return
    }
    guard let value = try FieldChange.Value(message.pointee, at: path()), field.row.suits(value) else {
      throw RPCError.malformedResponse(path(), "must be a value of \(field.rawValue)")
    }
    self = value
  }
}

extension FieldChange.Value {
  /// Decodes a value, or returns `nil` if none is set.
  fileprivate init?(_ message: Todo__V1__FieldValue, at path: @autoclosure () -> String) throws {
    switch message.value_case {
    case TODO__V1__FIELD_VALUE__VALUE_TEXT:
      guard message.text.len <= FieldChange.textLimit else {
        throw RPCError.malformedResponse(
          "\(path()).text", "is \(message.text.len) bytes long; at most \(FieldChange.textLimit) are allowed")
      }
      self = .text(try message.text.text("\(path()).text"))
    case TODO__V1__FIELD_VALUE__VALUE_DUE_TIME:
      self = .due(.time(try Timestamp(response: message.due_time, at: "\(path()).due_time")))
    case TODO__V1__FIELD_VALUE__VALUE_DUE_DATE:
      guard let date = message.due_date.flatMap({ CalendarDate($0.pointee) }) else {
        throw RPCError.malformedResponse("\(path()).due_date", "must be a day of the calendar, with its year and month")
      }
      self = .due(.date(date))
    case TODO__V1__FIELD_VALUE__VALUE_COORDINATE:
      var violations: [FieldViolation] = []
      let coordinate = message.coordinate.flatMap {
        Coordinate($0.pointee, at: "\(path()).coordinate", &violations)
      }
      guard let coordinate else { throw RPCError.malformedResponse(violations) }
      self = .coordinate(coordinate)
    case TODO__V1__FIELD_VALUE__VALUE_DONE: self = .done(message.done != 0)
    default: return nil
    }
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__FieldValue> {
    let message = arena.make(todo__v1__field_value__init)
    switch self {
    case .text(let text):
      message.pointee.value_case = TODO__V1__FIELD_VALUE__VALUE_TEXT
      message.pointee.text = arena.bytes(text)
    case .due(.time(let time)):
      message.pointee.value_case = TODO__V1__FIELD_VALUE__VALUE_DUE_TIME
      message.pointee.due_time = time.message(in: arena)
    case .due(.date(let date)):
      message.pointee.value_case = TODO__V1__FIELD_VALUE__VALUE_DUE_DATE
      message.pointee.due_date = date.message(in: arena)
    case .coordinate(let coordinate):
      message.pointee.value_case = TODO__V1__FIELD_VALUE__VALUE_COORDINATE
      message.pointee.coordinate = coordinate.message(in: arena)
    case .done(let isDone):
      message.pointee.value_case = TODO__V1__FIELD_VALUE__VALUE_DONE
      message.pointee.done = isDone ? 1 : 0
    }
    return message
  }
}
