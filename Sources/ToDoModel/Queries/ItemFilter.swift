/// A filter of a listing, in addition to its state, text and numbers.
public struct ItemFilter: Hashable, Sendable {
  /// Only items with this due date; `nil` for all items.
  public var due: DueFilter?
  /// Only items whose place's name or address contains each word of this text, as `ItemQuery.text` finds words. At most 1,024 bytes
  /// of UTF-8; empty for all items.
  public var place: String
  /// Only items with these tags.
  public var tags: TagFilter
  /// Only items with one of these priorities; `nil` stands for items without one. Empty for all items.
  public var priorities: Set<Priority?>
  /// Only items that wait, or that do not; `nil` for all items.
  public var wait: WaitFilter?
  /// Only items that contain each word of this text, as `ItemQuery.text` finds words. At most 1,024 bytes of UTF-8; empty for all
  /// items.
  public var text: String
  /// Only items that a search for this text would not find. At most 1,024 bytes of UTF-8; without a word, all items.
  public var excludedText: String
  /// Only items that pass at least one of these filters, at most `Limits.alternatives`. Each filters something, and has no
  /// alternatives of its own. Empty for all items.
  public var alternatives: [ItemFilter]
  /// Only items that pass none of these filters, at most `Limits.exclusions`. Each filters something, and has neither alternatives
  /// nor exclusions of its own.
  public var exclusions: [ItemFilter]

  /// Creates a filter.
  public init(
    due: DueFilter? = nil, place: String = "", tags: TagFilter = TagFilter(), priorities: Set<Priority?> = [],
    wait: WaitFilter? = nil, text: String = "", excludedText: String = "", alternatives: [ItemFilter] = [],
    exclusions: [ItemFilter] = []
  ) {
    self.due = due
    self.place = place
    self.tags = tags
    self.priorities = priorities
    self.wait = wait
    self.text = text
    self.excludedText = excludedText
    self.alternatives = alternatives
    self.exclusions = exclusions
  }

  /// The limits of a filter.
  public enum Limits {
    /// The maximum number of alternatives.
    public static let alternatives = 8
    /// The maximum number of exclusions.
    public static let exclusions = 4
  }

  /// Whether every item passes the filter.
  public var isEmpty: Bool {
    due == nil && place.isEmpty && tags.isEmpty && priorities.isEmpty && wait == nil && !isCombined
  }

  /// The approximate size of the parts whose size varies, in bytes.
  package var size: Int {
    let texts = [place, text, excludedText].reduce(0) { $0 + $1.utf8.count }
    let tags = [tags.all, tags.any, tags.none].joined().reduce(0) { $0 + $1.utf8.count + 32 }
    return texts + tags + 16 * priorities.count + (alternatives + exclusions).reduce(0) { $0 + $1.size + 256 }
  }

  /// Whether the filter has a text, alternatives or exclusions, which earlier servers ignore.
  package var isCombined: Bool {
    !text.isEmpty || !excludedText.isEmpty || !alternatives.isEmpty || !exclusions.isEmpty
  }
}

/// A filter by whether items wait at a time. An item waits until its `waitUntil`, unless it is done.
public struct WaitFilter: Hashable, Sendable {
  /// The time, usually the current one.
  public var time: Timestamp
  /// Whether only waiting items pass the filter, or only the others.
  public var isWaiting: Bool

  /// Creates a filter.
  public init(at time: Timestamp, isWaiting: Bool) {
    self.time = time
    self.isWaiting = isWaiting
  }

  /// Whether an item passes the filter.
  public func includes(_ item: ToDoItem) -> Bool { item.isWaiting(at: time) == isWaiting }
}

/// A filter by tags, in lower case, because case does not distinguish tags. An item with the tag `work/urgent` also has the tag
/// `work`.
public struct TagFilter: Hashable, Sendable {
  /// Only items with all of these tags, at most 32.
  public let all: [String]
  /// Only items with at least one of these tags, at most 32; empty for all items.
  public let any: [String]
  /// Only items with none of these tags, at most 32.
  public let none: [String]

  /// Creates a filter.
  public init(all: [String] = [], any: [String] = [], none: [String] = []) {
    self.all = all.map { $0.lowercased() }
    self.any = any.map { $0.lowercased() }
    self.none = none.map { $0.lowercased() }
  }

  /// Whether every item passes the filter.
  public var isEmpty: Bool { all.isEmpty && any.isEmpty && none.isEmpty }

  /// Whether an item with these tags passes the filter.
  public func includes(_ tags: [String]) -> Bool {
    guard !tags.isEmpty else { return all.isEmpty && any.isEmpty }
    let tags = tags.map { $0.lowercased() }
    func hasTag(_ wanted: String) -> Bool {
      let parent = wanted + "/"
      return tags.contains { $0 == wanted || $0.hasPrefix(parent) }
    }
    return all.allSatisfy(hasTag) && (any.isEmpty || any.contains(where: hasTag)) && !none.contains(where: hasTag)
  }
}

/// A filter of due dates.
@nonexhaustive
public enum DueFilter: Hashable, Sendable {
  /// Only items without a due date.
  case unset
  /// Only items with a due date in a range.
  case within(DueRange)

  /// Whether a due date passes the filter.
  public func includes(_ due: DueDate?) -> Bool {
    switch (self, due) {
    case (.unset, let due): due == nil
    case (.within, nil): false
    case (.within(let range), let due?): range.includes(due)
    }
  }
}

/// A range of due dates. Times and dates have their own ranges, because the times of a date depend on the time zone.
public struct DueRange: Hashable, Sendable {
  /// The first time; `nil` for no bound.
  public var start: Timestamp?
  /// The end of the times, which is not in the range; `nil` for no bound.
  public var end: Timestamp?
  /// The first date; `nil` for no bound.
  public var startDate: CalendarDate?
  /// The end of the dates, which is not in the range; `nil` for no bound.
  public var endDate: CalendarDate?

  /// Creates a range.
  public init(
    start: Timestamp? = nil, end: Timestamp? = nil, startDate: CalendarDate? = nil, endDate: CalendarDate? = nil
  ) {
    self.start = start
    self.end = end
    self.startDate = startDate
    self.endDate = endDate
  }

  /// Whether a due date is in the range.
  public func includes(_ due: DueDate) -> Bool {
    switch due {
    case .time(let time): start.map { time >= $0 } != false && end.map { time < $0 } != false
    case .date(let date): startDate.map { date >= $0 } != false && endDate.map { date < $0 } != false
    }
  }
}

extension DueRange {
  /// The bounds of the due dates' sort keys.
  package var orderBounds: ClosedRange<Timestamp> {
    let first = bound(start, startDate, ifUnset: Timestamp(microseconds: .min)) { min($0, $1) }
    // A range that ends before it starts contains nothing.
    return first...max(first, bound(end, endDate, ifUnset: .max) { max($0, $1) })
  }

  private func bound(
    _ time: Timestamp?, _ date: CalendarDate?, ifUnset unbounded: Timestamp,
    _ combine: (Timestamp, Timestamp) -> Timestamp
  ) -> Timestamp {
    guard let time, let date else { return unbounded }
    return combine(time, DueDate.date(date).order)
  }
}
