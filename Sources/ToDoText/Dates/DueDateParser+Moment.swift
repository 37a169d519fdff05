package import ToDoModel

extension DueDateParser {
  /// Parses the value of `--wait`: a time, or a day, which stands for its start in local time.
  ///
  /// - Throws: `DueDateError` if the text is not a date or time.
  package func parseMoment(_ text: String) throws -> Timestamp {
    switch try parse(text) {
    case .time(let time): return time
    case .date(let day):
      let start = zone.instant(at: LocalTime(day, TimeOfDay(hour: 0)))
      guard Timestamp.supportedRange.contains(start) else { throw DueDateError(text: text) }
      return start
    }
  }
}
