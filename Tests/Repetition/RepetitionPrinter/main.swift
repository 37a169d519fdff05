import Glibc
import ToDoModel
import ToDoRules

// Reads cases from standard input, one a line, and prints their results. Fields are separated by tabs:
//
//     rule  zone  start  due  now   ->   next-due or "-"  missed-count  the next three due dates, separated by spaces
//
// Due dates are days or instants in the formats of ISO 8601 and RFC 3339.

let zones = TimeZoneFiles()

func due(_ text: Substring) -> DueDate? {
  CalendarDate(String(text)).map(DueDate.date) ?? Timestamp(String(text)).map(DueDate.time)
}

func text(_ due: DueDate) -> String {
  switch due {
  case .date(let date): date.description
  case .time(let time): time.description
  }
}

while let line = readLine() {
  let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
  guard fields.count >= 5, let rule = RecurrenceRule(String(fields[0])), let zone = zones.rules(of: String(fields[1])),
    let start = due(fields[2]), let current = due(fields[3]), let now = Timestamp(String(fields[4]))
  else {
    perror("RepetitionPrinter: invalid case: \(line)")
    exit(2)
  }
  let repetition = Repetition(.calendar(rule), timeZone: String(fields[1]), start: start)
  let next = repetition.next(after: current, now: now, in: zone)
  let later = repetition.occurrences(after: current, limit: 3, in: zone)
  print(
    next.map { text($0.due) } ?? "-", next?.missedCount ?? 0, later.map(text).joined(separator: " "), separator: "\t")
}
