import CToDoProtos
import ToDoModel
import ToDoProtobuf

extension ItemFilter {
  /// Decodes the filter of a listing.
  init(_ message: UnsafeMutablePointer<Todo__V1__ItemFilter>?, _ violations: inout [FieldViolation]) throws {
    guard let message = message?.pointee else {
      self.init()
      return
    }
    try self.init(message, at: "filter", &violations)
    alternatives = try Self.parts(
      message.any_of, message.n_any_of, at: "filter.any_of", limit: Limits.alternatives, &violations
    ) { element, path, violations in
      if element.n_any_of > 0 { violations.append(FieldViolation("\(path).any_of", "must be empty")) }
      return true
    }
  }

  /// Decodes the filters that are part of another one.
  ///
  /// - Parameter check: adds the violations of a part's own parts, and returns whether to decode the part.
  private static func parts(
    _ elements: UnsafeMutablePointer<UnsafeMutablePointer<Todo__V1__ItemFilter>?>?, _ count: Int, at path: String,
    limit: Int, _ violations: inout [FieldViolation],
    _ check: (Todo__V1__ItemFilter, String, inout [FieldViolation]) -> Bool
  ) throws -> [ItemFilter] {
    guard count <= limit else {
      violations.append(FieldViolation(path, "has \(count) elements; at most \(limit) are allowed"))
      return []
    }
    var filters: [ItemFilter] = []
    for (index, element) in UnsafeBufferPointer(start: elements, count: count).enumerated() {
      guard let element = element?.pointee else { continue }
      let path = "\(path)[\(index)]"
      guard check(element, path, &violations) else { continue }
      filters.append(try ItemFilter(element, at: path, &violations))
    }
    return filters
  }

  /// Decodes everything but the alternatives.
  private init(
    _ message: Todo__V1__ItemFilter, at path: String, _ violations: inout [FieldViolation]
  ) throws {
    // An exclusion has none of its own, so that messages cannot nest deeply.
    let exclusions = try Self.parts(
      message.none_of, message.n_none_of, at: "\(path).none_of", limit: Limits.exclusions, &violations
    ) { element, path, violations in
      if element.n_any_of > 0 { violations.append(FieldViolation("\(path).any_of", "must be empty")) }
      if element.n_none_of > 0 { violations.append(FieldViolation("\(path).none_of", "must be empty")) }
      return element.n_none_of == 0
    }
    self.init(
      due: DueFilter(message.due, at: path, &violations),
      place: try message.place.text("\(path).place"),
      tags: try TagFilter(message.tags, at: path, &violations),
      priorities: Self.priorities(message, at: path, &violations),
      wait: WaitFilter(message.wait, at: path, &violations),
      text: try message.text.text("\(path).text"),
      excludedText: try message.no_text.text("\(path).no_text"), exclusions: exclusions)
  }

  private static func priorities(
    _ message: Todo__V1__ItemFilter, at path: String, _ violations: inout [FieldViolation]
  ) -> Set<Priority?> {
    let limit = Priority.allCases.count + 1
    guard message.n_priorities <= limit else {
      let reason = "has \(message.n_priorities) elements; at most \(limit) are allowed"
      violations.append(FieldViolation("\(path).priorities", reason))
      return []
    }
    var priorities: Set<Priority?> = []
    for (index, wire) in UnsafeBufferPointer(start: message.priorities, count: message.n_priorities).enumerated() {
      let priority = Priority(level: Int(wire.rawValue))
      if priority == nil, wire != TODO__V1__PRIORITY__PRIORITY_UNSPECIFIED {
        violations.append(FieldViolation("\(path).priorities[\(index)]", "is \(wire.rawValue), which is no priority"))
      }
      priorities.insert(priority)
    }
    return priorities
  }

  /// Builds the message of the filter, or returns `nil` if every item passes the filter.
  func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__ItemFilter>? {
    guard !isEmpty else { return nil }
    let message = fields(in: arena)
    message.pointee.n_any_of = alternatives.count
    if !alternatives.isEmpty {
      message.pointee.any_of = arena.array(alternatives.map { $0.fields(in: arena) })
    }
    return message
  }

  /// Builds a message with everything but the alternatives.
  private func fields(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__ItemFilter> {
    let message = arena.make(todo__v1__item_filter__init)
    message.pointee.text = arena.bytes(text)
    message.pointee.no_text = arena.bytes(excludedText)
    message.pointee.due = due?.message(in: arena)
    message.pointee.place = arena.bytes(place)
    message.pointee.n_none_of = exclusions.count
    if !exclusions.isEmpty { message.pointee.none_of = arena.array(exclusions.map { $0.fields(in: arena) }) }
    message.pointee.tags = tags.message(in: arena)
    message.pointee.wait = wait?.message(in: arena)
    message.pointee.n_priorities = priorities.count
    if !priorities.isEmpty {
      let levels = priorities.map { $0?.level ?? 0 }.sorted()
      message.pointee.priorities = arena.array(levels.map { Todo__V1__Priority(rawValue: UInt32($0)) })
    }
    return message
  }
}

extension WaitFilter {
  fileprivate init?(
    _ message: UnsafeMutablePointer<Todo__V1__WaitFilter>?, at path: String, _ violations: inout [FieldViolation]
  ) {
    guard let message = message?.pointee else { return nil }
    guard let time = message.time.flatMap({ Timestamp($0.pointee) }) else {
      violations.append(FieldViolation("\(path).wait.time", "must be a time in the years 1 to 9999"))
      return nil
    }
    self.init(at: time, isWaiting: message.waiting != 0)
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__WaitFilter> {
    let message = arena.make(todo__v1__wait_filter__init)
    message.pointee.time = time.message(in: arena)
    message.pointee.waiting = isWaiting ? 1 : 0
    return message
  }
}

extension TagFilter {
  fileprivate init(
    _ message: UnsafeMutablePointer<Todo__V1__TagFilter>?, at path: String, _ violations: inout [FieldViolation]
  ) throws {
    guard let message = message?.pointee else {
      self.init()
      return
    }
    let limit = ItemContent.Limits.tags
    self.init(
      all: try [String](message.all, message.n_all, at: "\(path).tags.all", limit: limit, &violations),
      any: try [String](message.any, message.n_any, at: "\(path).tags.any", limit: limit, &violations),
      none: try [String](message.none, message.n_none, at: "\(path).tags.none", limit: limit, &violations))
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__TagFilter>? {
    guard !isEmpty else { return nil }
    let message = arena.make(todo__v1__tag_filter__init)
    (message.pointee.all, message.pointee.n_all) = all.message(in: arena)
    (message.pointee.any, message.pointee.n_any) = any.message(in: arena)
    (message.pointee.none, message.pointee.n_none) = none.message(in: arena)
    return message
  }
}

extension DueFilter {
  fileprivate init?(
    _ message: UnsafeMutablePointer<Todo__V1__DueFilter>?, at path: String, _ violations: inout [FieldViolation]
  ) {
    guard let message = message?.pointee else { return nil }
    switch message.kind_case {
    case TODO__V1__DUE_FILTER__KIND_UNSET: self = .unset
    case TODO__V1__DUE_FILTER__KIND_RANGE:
      guard let range = message.range?.pointee else { return nil }
      self = .within(DueRange(range, at: path, &violations))
    default:
      violations.append(FieldViolation("\(path).due", "must be unset or a range"))
      return nil
    }
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__DueFilter> {
    let message = arena.make(todo__v1__due_filter__init)
    switch self {
    case .unset:
      message.pointee.kind_case = TODO__V1__DUE_FILTER__KIND_UNSET
      message.pointee.unset = arena.make(todo__v1__due_unset__init)
    case .within(let range):
      message.pointee.kind_case = TODO__V1__DUE_FILTER__KIND_RANGE
      message.pointee.range = range.message(in: arena)
    }
    return message
  }
}

extension DueRange {
  fileprivate init(
    _ message: Todo__V1__DueRange, at path: String, _ violations: inout [FieldViolation]
  ) {
    func time(_ message: UnsafeMutablePointer<Google__Protobuf__Timestamp>?, _ name: String)
      -> Timestamp?
    {
      guard let message else { return nil }
      let time = Timestamp(message.pointee)
      if time == nil {
        violations.append(FieldViolation("\(path).due.range.\(name)", "must be a time in the years 1 to 9999"))
      }
      return time
    }
    func date(_ message: UnsafeMutablePointer<Google__Type__Date>?, _ name: String) -> CalendarDate? {
      guard let message else { return nil }
      let date = CalendarDate(message.pointee)
      if date == nil {
        violations.append(
          FieldViolation("\(path).due.range.\(name)", "must be a day of the calendar, with its year and month"))
      }
      return date
    }
    self.init(
      start: time(message.start_time, "start_time"), end: time(message.end_time, "end_time"),
      startDate: date(message.start_date, "start_date"), endDate: date(message.end_date, "end_date"))
  }

  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__DueRange> {
    let message = arena.make(todo__v1__due_range__init)
    message.pointee.start_time = start?.message(in: arena)
    message.pointee.end_time = end?.message(in: arena)
    message.pointee.start_date = startDate?.message(in: arena)
    message.pointee.end_date = endDate?.message(in: arena)
    return message
  }
}
