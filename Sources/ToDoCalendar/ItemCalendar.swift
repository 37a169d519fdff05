package import ToDoModel

/// Items with due dates as a calendar in the format of RFC 5545, to which calendar programs subscribe.
///
/// The text depends on nothing but the items, the names and the rules of the time zones.
package struct ItemCalendar {
  /// The component of a calendar that an item becomes.
  package enum Component: String, Sendable {
    /// An event, which every calendar program shows.
    case event = "VEVENT"
    /// A to-do, which some programs show in a list of their own.
    case toDo = "VTODO"
  }

  /// The items of one list.
  package struct List: Sendable {
    /// The list's name, a category of each event; `nil` for none.
    package var name: String?
    /// The items. Those without a due date are left out.
    package var items: [ToDoItem]

    /// Creates a list.
    package init(name: String? = nil, items: [ToDoItem]) { (self.name, self.items) = (name, items) }
  }

  /// The maximum size of the components, in bytes. Items that come later are left out.
  package static let sizeLimit = 4 << 20
  /// The maximum number of time zones. Items that repeat in further ones are shown once, without repetition.
  private static let zoneLimit = 64
  /// The maximum number of items with costly rules. Further ones are shown once, without repetition.
  private static let costlyRuleLimit = 200

  private let component: Component
  private let rules: (String) -> (any TimeZoneRules)?
  private var components = CalendarLines()
  private var zones: [String: Zone] = [:]
  private var costlyRuleCount = 0

  /// The period in which a time zone is needed.
  private struct Zone {
    let rules: any TimeZoneRules
    var first, last: Timestamp
  }

  private init(_ component: Component, rules: @escaping (String) -> (any TimeZoneRules)?) {
    (self.component, self.rules) = (component, rules)
  }

  /// Returns a calendar in UTF-8. Other tasks run between its parts, because a rule or a zone can take some milliseconds.
  ///
  /// - Parameters:
  ///   - name: the name that programs show.
  ///   - sizeLimit: the maximum size of the components.
  ///   - rules: returns the rules of a time zone, or `nil` if there is none with this name.
  /// - Throws: `CancellationError` if the task is canceled.
  package static func text(
    of lists: [List], named name: String, as component: Component = .event, sizeLimit: Int = Self.sizeLimit,
    rules: @escaping (String) -> (any TimeZoneRules)?
  ) async throws -> [UInt8] {
    var calendar = ItemCalendar(component, rules: rules)
    for list in lists {
      for item in list.items where calendar.components.bytes.count < sizeLimit {
        try Task.checkCancellation()
        if item.repetition != nil { await Task.yield() }
        calendar.add(item, in: list)
      }
    }
    return try await calendar.text(named: name)
  }

  private func text(named name: String) async throws -> [UInt8] {
    var lines = CalendarLines()
    lines.add("BEGIN", "VCALENDAR")
    lines.add("VERSION", "2.0")
    lines.add("PRODID", "-//todo//calendar feed//EN")
    lines.add("NAME", text: name)
    lines.add("X-WR-CALNAME", text: name)
    lines.add("REFRESH-INTERVAL;VALUE=DURATION", "PT15M")
    lines.add("X-PUBLISHED-TTL", "PT15M")
    for (name, zone) in zones.sorted(by: { $0.key < $1.key }) {
      try Task.checkCancellation()
      await Task.yield()
      CalendarZone(name, zone.rules, from: zone.first, to: zone.last).write(to: &lines)
    }
    lines.add(components)
    lines.add("END", "VCALENDAR")
    return lines.bytes
  }

  // MARK: Components

  private mutating func add(_ item: ToDoItem, in list: List) {
    guard let due = item.due else { return }
    guard !item.isDone, let recurrence = recurrence(of: item, due: due) else {
      return add(item, in: list) { calendar in calendar.addTime(due) }
    }
    add(item, in: list) { calendar in
      calendar.addTime(recurrence.first, in: recurrence.timeZone)
      if let rule = recurrence.rule { calendar.components.add("RRULE", rule) }
      for other in recurrence.others { calendar.add("RDATE", other, in: recurrence.timeZone) }
    }
    // The present occurrence is at another time than the rule gives to it.
    guard recurrence.first != due else { return }
    add(item, in: list) { calendar in
      calendar.add("RECURRENCE-ID", recurrence.first, in: recurrence.timeZone)
      calendar.addTime(due, in: recurrence.timeZone)
    }
  }

  /// Returns the occurrences of an item, and notes that their time zone is needed.
  private mutating func recurrence(of item: ToDoItem, due: DueDate) -> CalendarRecurrence? {
    guard let repetition = item.repetition, !repetition.isCostly || costlyRuleCount < Self.costlyRuleLimit,
      let rules = rules(repetition.timeZone)
    else { return nil }
    if repetition.isCostly { costlyRuleCount += 1 }
    guard let recurrence = CalendarRecurrence(repetition, due: due, in: rules)
    else { return nil }
    guard !recurrence.timeZone.isEmpty, case .time(let time) = recurrence.first else { return recurrence }
    let name = recurrence.timeZone
    var last = max(time, item.updatedAt)
    if case .time(let other)? = recurrence.others.last { last = max(last, other) }
    guard zones[name] != nil || zones.count < Self.zoneLimit else { return nil }
    var zone = zones[name] ?? Zone(rules: rules, first: time, last: last)
    (zone.first, zone.last) = (min(zone.first, time), max(zone.last, last))
    zones[name] = zone
    return recurrence
  }

  private mutating func add(_ item: ToDoItem, in list: List, time: (inout ItemCalendar) -> Void) {
    components.add("BEGIN", component.rawValue)
    components.add("UID", item.id.description)
    // A feed is no message that is sent at a time: its components are as old as the items.
    components.add("DTSTAMP", item.updatedAt.calendarText)
    components.add("CREATED", item.createdAt.calendarText)
    components.add("LAST-MODIFIED", item.updatedAt.calendarText)
    time(&self)
    addTexts(of: item, in: list)
    addState(of: item)
    components.add("END", component.rawValue)
  }

  private mutating func addTexts(of item: ToDoItem, in list: List) {
    let mark = component == .event && item.isDone ? "\u{2713} " : ""
    components.add("SUMMARY", text: mark + item.title)
    let steps = item.steps.map { "[\($0.isDone ? "x" : " ")] \($0.text)" }
    let paragraphs = [item.itemDescription ?? "", steps.joined(separator: "\n")].filter { !$0.isEmpty }
    components.add("DESCRIPTION", text: paragraphs.joined(separator: "\n\n"))
    let place = [item.location?.name, item.location?.address].compactMap(\.self).filter { !$0.isEmpty }
    components.add("LOCATION", text: place.joined(separator: ", "))
    if let coordinate = item.location?.coordinate {
      components.add("GEO", "\(coordinate.latitude.calendarText);\(coordinate.longitude.calendarText)")
    }
    let categories = (list.name.map { [$0] } ?? []) + item.tags
    if !categories.isEmpty { components.add("CATEGORIES", texts: categories) }
  }

  private mutating func addState(of item: ToDoItem) {
    switch item.priority {
    case .high: components.add("PRIORITY", "1")
    case .medium: components.add("PRIORITY", "5")
    case .low: components.add("PRIORITY", "9")
    case nil: break
    }
    switch component {
    case .event:
      components.add("STATUS", "CONFIRMED")
      // A to-do does not make its owner busy.
      components.add("TRANSP", "TRANSPARENT")
    case .toDo:
      components.add("STATUS", item.isDone ? "COMPLETED" : "NEEDS-ACTION")
      if let time = item.completedAt {
        components.add("COMPLETED", time.calendarText)
        components.add("PERCENT-COMPLETE", "100")
      }
    }
  }

  // MARK: Times

  /// Adds when an item is due. A repeating to-do needs a start, from which its rule counts.
  private mutating func addTime(_ due: DueDate, in zone: String? = nil) {
    add(component == .toDo && zone == nil ? "DUE" : "DTSTART", due, in: zone ?? "")
    // Many programs do not show an event that takes no time.
    if component == .event, case .time = due { components.add("DURATION", "PT30M") }
  }

  private mutating func add(_ name: String, _ due: DueDate, in zone: String) {
    switch due {
    case .date(let date): components.add("\(name);VALUE=DATE", date.calendarText)
    case .time(let time):
      guard !zone.isEmpty, let rules = zones[zone]?.rules else { return components.add(name, time.calendarText) }
      components.add("\(name);TZID=\(zone)", rules.localTime(at: time).calendarText)
    }
  }
}

extension Repetition {
  /// Whether occurrences have to be counted or listed, which examines each month from the start on.
  fileprivate var isCostly: Bool {
    guard case .calendar(let rule) = rule else { return false }
    if case .count = rule.end { return true }
    return rule.clampsMonthDays
  }
}

extension Double {
  /// The number with six decimals, which are 11 cm on the ground.
  fileprivate var calendarText: String {
    let millionths = Int((self * 1_000_000).rounded())
    let fraction = String(abs(millionths) % 1_000_000)
    let padding = String(repeating: "0", count: 6 - fraction.count)
    return "\(millionths < 0 ? "-" : "")\(abs(millionths) / 1_000_000).\(padding)\(fraction)"
  }
}
