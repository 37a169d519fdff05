import ToDoModel

extension RecurrenceRule {
  /// The rule as it is in the corpus.
  var corpusText: String {
    let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ",") }
    var parts = ["FREQ=\(frequency.rawValue.uppercased())"]
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    if !months.isEmpty { parts.append("BYMONTH=\(list(months))") }
    if !monthDays.isEmpty { parts.append("BYMONTHDAY=\(list(monthDays))") }
    if !weekdays.isEmpty {
      let days = weekdays.map { ($0.ordinal == 0 ? "" : "\($0.ordinal)") + names[$0.day] }
      parts.append("BYDAY=\(days.joined(separator: ","))")
    }
    switch end {
    case nil: break
    case .count(let count): parts.append("COUNT=\(count)")
    case .until(.date(let date)): parts.append("UNTIL=\(date.description.filter { $0 != "-" })")
    case .until(.time(let time)): parts.append("UNTIL=\(time)")
    }
    if clampsMonthDays { parts = ["RSCALE=GREGORIAN"] + parts + ["SKIP=BACKWARD"] }
    return parts.joined(separator: ";")
  }
}
