import ToDoModel

/// The binary forms of steps and reminders, and of a repetition. Integers are big-endian.
///
/// The reminders of an item follow its steps, so that items without any need no further field. A step is
///
///     done (1) | size of the text (2) | text
///
/// a reminder
///
///     kind (1) | states (1) | value (8) | acknowledged (8, if any) | snoozed until (8, if any) | size of the zone (1) | zone
///
/// and a repetition
///
///     size of the time zone (2) | kinds (1) | start (8) | missed occurrences (8) | occurrence (8, if any) | time zone | rule
///
/// The start's kind, in the byte's lower half, and that of the moved occurrence, in the upper half, are 0 for none, 1 for
/// a time and 2 for a day. The rule is the text of `Repetition.Rule`.
///
/// A reminder's kind differs from the first byte of a step. Its value is a time, a number of seconds, or the days before the due
/// day times 1,440 with the minute of the day. Only such a day has a time zone. Steps have the size `Step.size`, and reminders and
/// repetitions their `size`.
enum EncodedMarks {
  /// The steps and reminders of an item.
  struct Lines {
    var steps: [Step] = []
    var reminders: [Reminder] = []
  }

  /// Encodes the steps and reminders of an item, at least one.
  static func encode(_ steps: [Step], _ reminders: [Reminder]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Step.size(of: steps) + reminders.reduce(0) { $0 + $1.size })
    for step in steps {
      bytes.append(step.isDone ? 1 : 0)
      bytes.append(integer: UInt16(clamping: step.text.utf8.count))
      bytes.append(contentsOf: step.text.utf8.prefix(Int(UInt16.max)))
    }
    for reminder in reminders { encode(reminder, to: &bytes) }
    return bytes
  }

  private static func encode(_ reminder: Reminder, to bytes: inout [UInt8]) {
    let (kind, value) = encoded(reminder.trigger)
    bytes.append(kind)
    bytes.append((reminder.acknowledged == nil ? 0 : 1) | (reminder.snoozedUntil == nil ? 0 : 2))
    bytes.append(integer: value)
    for time in [reminder.acknowledged, reminder.snoozedUntil] {
      if let time { bytes.append(integer: time.microseconds) }
    }
    guard case .day(let day) = reminder.trigger else { return }
    bytes.append(UInt8(clamping: day.timeZone.utf8.count))
    bytes.append(contentsOf: day.timeZone.utf8.prefix(Int(UInt8.max)))
  }

  /// The kinds never change.
  private static func encoded(_ trigger: Reminder.Trigger) -> (kind: UInt8, value: Int64) {
    switch trigger {
    case .time(let time): (2, time.microseconds)
    case .before(let seconds): (3, Int64(seconds))
    case .day(let day): (4, Int64(day.daysBefore * minutesOfDay + day.minuteOfDay))
    case .arriving: (5, 0)
    case .leaving: (6, 0)
    }
  }

  private static let minutesOfDay = 1440

  static func encode(_ repetition: Repetition) -> [UInt8] {
    var bytes: [UInt8] = []
    let zone = repetition.timeZone.utf8.prefix(Int(UInt16.max))
    bytes.append(integer: UInt16(clamping: zone.count))
    let (start, occurrence) = (encoded(repetition.start), encoded(repetition.occurrence))
    bytes.append(start.kind | occurrence.kind << 4)
    bytes.append(integer: start.value)
    bytes.append(integer: Int64(repetition.missedCount))
    if occurrence.kind != 0 { bytes.append(integer: occurrence.value) }
    bytes.append(contentsOf: zone)
    bytes.append(contentsOf: repetition.rule.description.utf8)
    return bytes
  }

  private static func encoded(_ due: DueDate?) -> (kind: UInt8, value: Int64) {
    switch due {
    case nil: (0, 0)
    case .time(let time): (1, time.microseconds)
    case .date(let date): (2, Int64(date.daysSinceEpoch))
    }
  }

  /// Decodes steps and reminders, at least one. The bytes may have any content.
  static func lines(_ bytes: UnsafeRawBufferPointer) throws(StoredField.Invalid) -> Lines {
    var (lines, reader) = (Lines(), ByteReader(bytes))
    repeat {
      guard let kind = reader.integer(as: UInt8.self) else { throw StoredField.Invalid("steps") }
      if kind >= 2 {
        lines.reminders.append(try reminder(kind, &reader))
        continue
      }
      guard lines.reminders.isEmpty, let size = reader.integer(as: UInt16.self),
        let text = reader.text(ofSize: Int(size))
      else { throw StoredField.Invalid("steps") }
      lines.steps.append(Step(text, isDone: kind == 1))
    } while !reader.isAtEnd
    return lines
  }

  private static func reminder(
    _ kind: UInt8, _ reader: inout ByteReader
  ) throws(StoredField.Invalid) -> Reminder {
    guard let states = reader.integer(as: UInt8.self), states < 4, let value = reader.integer(as: Int64.self) else {
      throw StoredField.Invalid("reminders")
    }
    let acknowledged = states & 1 == 0 ? nil : try time(&reader)
    let snoozedUntil = states & 2 == 0 ? nil : try time(&reader)
    let trigger: Reminder.Trigger
    switch kind {
    case 2: trigger = .time(try StoredField.time(value, "reminders"))
    case 3 where value >= 0: trigger = .before(seconds: Int(value))
    case 4 where value >= 0:
      guard let size = reader.integer(as: UInt8.self), let zone = reader.text(ofSize: Int(size)) else {
        throw StoredField.Invalid("reminders")
      }
      let (days, minute) = Int(value).quotientAndRemainder(dividingBy: minutesOfDay)
      trigger = .day(Reminder.DayTrigger(daysBefore: days, minuteOfDay: minute, timeZone: zone))
    case 5 where value == 0: trigger = .arriving
    case 6 where value == 0: trigger = .leaving
    default: throw StoredField.Invalid("reminders")
    }
    return Reminder(trigger, acknowledged: acknowledged, snoozedUntil: snoozedUntil)
  }

  private static func time(_ reader: inout ByteReader) throws(StoredField.Invalid) -> Timestamp {
    guard let number = reader.integer(as: Int64.self) else { throw StoredField.Invalid("reminders") }
    return try StoredField.time(number, "reminders")
  }

  /// Decodes a repetition. The bytes may have any content.
  static func repetition(_ bytes: UnsafeRawBufferPointer) throws(StoredField.Invalid) -> Repetition {
    var reader = ByteReader(bytes)
    guard let size = reader.integer(as: UInt16.self), let kinds = reader.integer(as: UInt8.self),
      let start = reader.integer(as: Int64.self), let missedCount = reader.integer(as: Int64.self),
      let occurrence = kinds >> 4 == 0 ? 0 : reader.integer(as: Int64.self),
      let timeZone = reader.text(ofSize: Int(size)), let text = reader.remainingText(),
      let rule = KnownRules.shared.rule(text)
    else { throw StoredField.Invalid("repetition") }
    return Repetition(
      rule, timeZone: timeZone, start: try due(kinds & 0xF, start), missedCount: Int(missedCount),
      occurrence: try due(kinds >> 4, occurrence))
  }

  private static func due(_ kind: UInt8, _ value: Int64) throws(StoredField.Invalid) -> DueDate? {
    switch kind {
    case 0 where value == 0: nil
    case 1: .time(try StoredField.time(value, "repetition"))
    case 2: try StoredField.date(value, "repetition")
    default: throw StoredField.Invalid("repetition")
    }
  }
}
