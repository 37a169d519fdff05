import CToDoProtos
import ToDoModel
import ToDoProtobuf

extension DueDate {
  /// Decodes the due date of an item, if the item has one.
  init?(_ item: Todo__V1__Item, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]) {
    switch item.due_case {
    case TODO__V1__ITEM__DUE_DUE_TIME:
      guard let message = item.due_time else { return nil }
      guard let time = Timestamp(message.pointee) else {
        violations.append(FieldViolation("\(path()).due_time", "must be a time in the years 1 to 9999"))
        return nil
      }
      self = .time(time)
    case TODO__V1__ITEM__DUE_DUE_DATE:
      guard let message = item.due_date?.pointee else { return nil }
      guard let date = CalendarDate(message) else {
        violations.append(
          FieldViolation("\(path()).due_date", "must be a day of the calendar, with its year and month"))
        return nil
      }
      self = .date(date)
    default: return nil
    }
  }

  /// Sets the due date of an item.
  func write(to item: UnsafeMutablePointer<Todo__V1__Item>, _ arena: Arena) {
    switch self {
    case .time(let time):
      item.pointee.due_case = TODO__V1__ITEM__DUE_DUE_TIME
      item.pointee.due_time = time.message(in: arena)
    case .date(let date):
      item.pointee.due_case = TODO__V1__ITEM__DUE_DUE_DATE
      item.pointee.due_date = date.message(in: arena)
    }
  }
}

extension CalendarDate {
  /// Decodes a date, or returns `nil` if it is not a day of the calendar with its year and month.
  init?(_ message: Google__Type__Date) {
    self.init(year: Int(message.year), month: Int(message.month), day: Int(message.day))
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Google__Type__Date> {
    let message = arena.make(google__type__date__init)
    message.pointee.year = Int32(year)
    message.pointee.month = Int32(month)
    message.pointee.day = Int32(day)
    return message
  }
}
