import ToDoModel

/// The binary forms of steps and of a repetition. Integers are big-endian.
///
/// A step is
///
///     done (1) | size of the text (2) | text
///
/// and a repetition
///
///     size of the time zone (2) | kinds (1) | start (8) | missed occurrences (8) | occurrence (8, if any) | time zone | rule
///
/// The kind of the start, in the lower half of the byte, and that of the moved occurrence, in the upper half, are 0 for none, 1 for
/// a time and 2 for a day. The rule is the text of `Repetition.Rule`. Steps have the
/// size `Step.size`, and a repetition has the size `Repetition.size`.
enum EncodedMarks {
  static func encode(_ steps: [Step]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Step.size(of: steps))
    for step in steps {
      bytes.append(step.isDone ? 1 : 0)
      bytes.append(integer: UInt16(clamping: step.text.utf8.count))
      bytes.append(contentsOf: step.text.utf8.prefix(Int(UInt16.max)))
    }
    return bytes
  }

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

  /// Decodes steps, at least one. The bytes may have any content.
  static func steps(_ bytes: UnsafeRawBufferPointer) throws(StoredField.Invalid) -> [Step] {
    var (steps, reader): ([Step], ByteReader) = ([], ByteReader(bytes))
    repeat {
      guard let done = reader.integer(as: UInt8.self), done < 2, let size = reader.integer(as: UInt16.self),
        let text = reader.text(ofSize: Int(size))
      else { throw StoredField.Invalid("steps") }
      steps.append(Step(text, isDone: done == 1))
    } while !reader.isAtEnd
    return steps
  }

  /// Decodes a repetition. The bytes may have any content.
  static func repetition(_ bytes: UnsafeRawBufferPointer) throws(StoredField.Invalid) -> Repetition {
    var reader = ByteReader(bytes)
    guard let size = reader.integer(as: UInt16.self), let kinds = reader.integer(as: UInt8.self),
      let start = reader.integer(as: Int64.self), let missedCount = reader.integer(as: Int64.self),
      let occurrence = kinds >> 4 == 0 ? 0 : reader.integer(as: Int64.self),
      let timeZone = reader.text(ofSize: Int(size)), let text = reader.remainingText(),
      let rule = Repetition.Rule(text), rule.description == text
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
