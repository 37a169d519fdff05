import CToDoProtos
import ToDoModel
import ToDoProtobuf

extension Repetition {
  /// Decodes an item's repetition, or returns `nil` after adding a violation.
  ///
  /// - Throws: `RPCError` with the field's name if a text is not UTF-8.
  init?(
    _ message: Todo__V1__Repetition, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]
  ) throws {
    guard let rule = try Rule(message, at: path(), &violations) else { return nil }
    self.init(
      rule, timeZone: try message.time_zone.text("\(path()).time_zone"),
      start: DueDate(startOf: message, at: path(), &violations), missedCount: Int(message.missed_count),
      occurrence: DueDate(occurrenceOf: message, at: path(), &violations))
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__Repetition> {
    let message = arena.make(todo__v1__repetition__init)
    switch rule {
    case .calendar(let rule):
      message.pointee.rule_case = TODO__V1__REPETITION__RULE_RECURRENCE_RULE
      message.pointee.recurrence_rule = arena.bytes(rule.description)
    case .afterDone(let interval):
      message.pointee.rule_case = TODO__V1__REPETITION__RULE_AFTER_DONE
      message.pointee.after_done = interval.message(in: arena)
    }
    message.pointee.time_zone = arena.bytes(timeZone)
    switch start {
    case nil: break
    case .time(let time):
      message.pointee.start_case = TODO__V1__REPETITION__START_START_TIME
      message.pointee.start_time = time.message(in: arena)
    case .date(let date):
      message.pointee.start_case = TODO__V1__REPETITION__START_START_DATE
      message.pointee.start_date = date.message(in: arena)
    }
    message.pointee.missed_count = Int64(missedCount)
    switch occurrence {
    case nil: break
    case .time(let time):
      message.pointee.occurrence_case = TODO__V1__REPETITION__OCCURRENCE_OCCURRENCE_TIME
      message.pointee.occurrence_time = time.message(in: arena)
    case .date(let date):
      message.pointee.occurrence_case = TODO__V1__REPETITION__OCCURRENCE_OCCURRENCE_DATE
      message.pointee.occurrence_date = date.message(in: arena)
    }
    return message
  }
}

extension Repetition.Rule {
  fileprivate init?(
    _ message: Todo__V1__Repetition, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]
  ) throws {
    switch message.rule_case {
    case TODO__V1__REPETITION__RULE_RECURRENCE_RULE:
      let text = try message.recurrence_rule.text("\(path()).recurrence_rule")
      do {
        self = .calendar(try RecurrenceRule(parsing: text))
      } catch {
        violations.append(FieldViolation("\(path()).recurrence_rule", error.reason))
        return nil
      }
    case TODO__V1__REPETITION__RULE_AFTER_DONE:
      guard let interval = message.after_done?.pointee,
        let unit = RecurrenceRule.Frequency(wire: interval.unit)
      else {
        violations.append(FieldViolation("\(path()).after_done.unit", "must be set to a known unit"))
        return nil
      }
      self = .afterDone(Repetition.Interval(Int(interval.count), unit))
    default:
      violations.append(FieldViolation(path(), "must have a recurrence_rule or after_done"))
      return nil
    }
  }
}

extension Repetition.Interval {
  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__RepeatInterval> {
    let message = arena.make(todo__v1__repeat_interval__init)
    message.pointee.count = Int32(clamping: count)
    message.pointee.unit = unit.wire
    return message
  }
}

extension RecurrenceRule.Frequency {
  fileprivate var wire: Todo__V1__Frequency {
    switch self {
    case .daily: TODO__V1__FREQUENCY__FREQUENCY_DAILY
    case .weekly: TODO__V1__FREQUENCY__FREQUENCY_WEEKLY
    case .monthly: TODO__V1__FREQUENCY__FREQUENCY_MONTHLY
    case .yearly: TODO__V1__FREQUENCY__FREQUENCY_YEARLY
    }
  }

  fileprivate init?(wire: Todo__V1__Frequency) {
    guard let frequency = Self.allCases.first(where: { $0.wire == wire }) else { return nil }
    self = frequency
  }
}

extension DueDate {
  /// Decodes the due date from which a rule counts, if it is set.
  fileprivate init?(
    startOf message: Todo__V1__Repetition, at path: @autoclosure () -> String, _ violations: inout [FieldViolation]
  ) {
    switch message.start_case {
    case TODO__V1__REPETITION__START_START_TIME:
      self.init(time: message.start_time, at: "\(path()).start_time", &violations)
    case TODO__V1__REPETITION__START_START_DATE:
      self.init(date: message.start_date, at: "\(path()).start_date", &violations)
    default: return nil
    }
  }

  /// Decodes the due date that a rule gave to an occurrence, if it is set.
  fileprivate init?(
    occurrenceOf message: Todo__V1__Repetition, at path: @autoclosure () -> String,
    _ violations: inout [FieldViolation]
  ) {
    switch message.occurrence_case {
    case TODO__V1__REPETITION__OCCURRENCE_OCCURRENCE_TIME:
      self.init(time: message.occurrence_time, at: "\(path()).occurrence_time", &violations)
    case TODO__V1__REPETITION__OCCURRENCE_OCCURRENCE_DATE:
      self.init(date: message.occurrence_date, at: "\(path()).occurrence_date", &violations)
    default: return nil
    }
  }

  private init?(
    time message: UnsafeMutablePointer<Google__Protobuf__Timestamp>?, at path: @autoclosure () -> String,
    _ violations: inout [FieldViolation]
  ) {
    guard let time = message.flatMap({ Timestamp($0.pointee, at: path(), &violations) }) else { return nil }
    self = .time(time)
  }

  private init?(
    date message: UnsafeMutablePointer<Google__Type__Date>?, at path: @autoclosure () -> String,
    _ violations: inout [FieldViolation]
  ) {
    guard let message = message?.pointee else { return nil }
    guard let date = CalendarDate(message) else {
      violations.append(FieldViolation(path(), "must be a day of the calendar, with its year and month"))
      return nil
    }
    self = .date(date)
  }
}
