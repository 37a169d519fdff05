import ToDoModel

/// A time zone in the period in which events need it: `VTIMEZONE` of RFC 5545.
struct CalendarZone {
  fileprivate struct Transition {
    let time: Timestamp
    let former, latter: ZoneOffset
  }

  private let name: String
  private let initial: ZoneOffset
  private let transitions: [Transition]

  /// The time after the last event of a zone for which its transitions are written. Most calendars know the zone by its name.
  private static let years = 20 as Int64
  private static let year = 366 * 86_400_000_000 as Int64
  /// The period outside of which no transitions are written.
  private static let period = Timestamp(microseconds: 0)...Timestamp(microseconds: 130 * year)

  /// Creates the zone with the rules of the events from one time to another.
  init(_ name: String, _ rules: any TimeZoneRules, from first: Timestamp, to last: Timestamp) {
    func clamped(_ time: Int64) -> Timestamp {
      min(max(Timestamp(microseconds: time), Self.period.lowerBound), Self.period.upperBound)
    }
    let start = clamped(first.microseconds - Self.year)
    let end = clamped(last.microseconds + Self.years * Self.year)
    self.name = name
    initial = rules.offset(at: start)
    transitions = Self.transitions(rules, from: start, to: end)
  }

  func write(to lines: inout CalendarLines) {
    lines.add("BEGIN", "VTIMEZONE")
    lines.add("TZID", name)
    Self.write(initial, after: initial, from: ["19700101T000000"], isDaylight: false, to: &lines)
    var written: [Transition] = []
    for transition in transitions where !written.contains(where: { $0.isLike(transition) }) {
      written.append(transition)
      let times = transitions.filter { $0.isLike(transition) }.map(\.localText)
      let isDaylight = transition.latter.seconds > transition.former.seconds
      Self.write(transition.latter, after: transition.former, from: times, isDaylight: isDaylight, to: &lines)
    }
    lines.add("END", "VTIMEZONE")
  }

  private static func write(
    _ offset: ZoneOffset, after former: ZoneOffset, from times: [String], isDaylight: Bool,
    to lines: inout CalendarLines
  ) {
    let kind = isDaylight ? "DAYLIGHT" : "STANDARD"
    lines.add("BEGIN", kind)
    lines.add("DTSTART", times[0])
    if times.count > 1 { lines.add("RDATE", times.dropFirst().joined(separator: ",")) }
    lines.add("TZOFFSETFROM", former.calendarText)
    lines.add("TZOFFSETTO", offset.calendarText)
    lines.add("TZNAME", text: offset.name)
    lines.add("END", kind)
  }

  private static func transitions(
    _ rules: any TimeZoneRules, from start: Timestamp, to end: Timestamp
  ) -> [Transition] {
    // No zone changes its clocks twice within a week.
    let week = 7 * 86_400_000_000 as Int64
    var (found, time, offset) = ([Transition](), start, rules.offset(at: start))
    while time < end {
      let next = Timestamp(microseconds: time.microseconds + week)
      let latter = rules.offset(at: next)
      if latter.seconds != offset.seconds {
        let change = firstSecond(after: time, to: next) { rules.offset(at: $0).seconds != offset.seconds }
        found.append(Transition(time: change, former: offset, latter: latter))
      }
      (time, offset) = (next, latter)
    }
    return found
  }

  /// Returns the first second in a range that has a property which all later ones have.
  private static func firstSecond(
    after start: Timestamp, to end: Timestamp, where isFound: (Timestamp) -> Bool
  ) -> Timestamp {
    var (low, high) = (start.microseconds / 1_000_000, end.microseconds / 1_000_000)
    while high - low > 1 {
      let middle = (low + high) / 2
      if isFound(Timestamp(microseconds: middle * 1_000_000)) { high = middle } else { low = middle }
    }
    return Timestamp(microseconds: high * 1_000_000)
  }
}

extension CalendarZone.Transition {
  /// Whether both change the clocks by the same offsets.
  fileprivate func isLike(_ other: CalendarZone.Transition) -> Bool { (former, latter) == (other.former, other.latter) }

  /// The time by the clocks before the transition.
  fileprivate var localText: String {
    LocalTime(microseconds: time.microseconds + former.microseconds).calendarText
  }
}

extension ZoneOffset {
  /// The offset as in `+0530`.
  fileprivate var calendarText: String {
    let total = abs(seconds)
    let fields = [total / 3600, total / 60 % 60] + (total % 60 == 0 ? [] : [total % 60])
    return (seconds < 0 ? "-" : "+") + fields.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
  }
}
