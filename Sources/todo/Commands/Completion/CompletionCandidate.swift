import ToDoModel
import ToDoText

/// A value that a shell can insert, and its description.
struct CompletionCandidate: Equatable, Sendable {
  let value: String
  /// A text without terminal control characters. It can be empty.
  var description = ""

  /// The maximum number of candidates that a request returns.
  static let limit = 100
}

extension [CompletionCandidate] {
  /// The candidates that refer to items, with their titles.
  init(_ items: [ToDoItem], except references: Set<String>) {
    self = items.map { CompletionCandidate(value: $0.shortReference, description: $0.title.escapingControls()) }
      .filter { !references.contains($0.value) }
  }

  /// The names of items' places, with their addresses.
  init(placesOf items: [ToDoItem], prefix: String) {
    var names = Set<String>()
    self = items.compactMap(\.location).compactMap { location in
      guard let name = location.name, names.insert(name.lowercased()).inserted else { return nil }
      return CompletionCandidate(value: prefix + name, description: location.address?.escapingControls() ?? "")
    }
  }

  /// The tags of items, the most used first.
  init(tagsOf items: [ToDoItem], prefix: String) {
    self = TagCounts(items).sorted.map { tag, count in
      CompletionCandidate(value: prefix + tag, description: count == 1 ? "1 item" : "\(count) items")
    }
  }

  /// The priorities.
  static var priorities: [CompletionCandidate] {
    (Priority.allCases.reversed().map(\.rawValue) + ["none"]).map { CompletionCandidate(value: $0) }
  }

  /// Common values of `--repeat`.
  static var repetitions: [CompletionCandidate] {
    [
      "every day", "every weekday", "every monday", "every 2 weeks", "every month", "every year", "3 days after done",
      "none",
    ].map { CompletionCandidate(value: $0) }
  }

  /// Common values of `--remind`.
  static var reminders: [CompletionCandidate] {
    ["due", "10min", "1h", "1d", "in 20m", "day before 18:00", "same day 8:00", "arriving", "leaving", "none"].map {
      CompletionCandidate(value: $0)
    }
  }

  /// Common values of `--due`, with the days that they mean.
  init(datesOf parser: DueDateParser) {
    self = Self.dateForms.compactMap { form in
      guard let due = try? parser.parse(form) else { return nil }
      return CompletionCandidate(value: form, description: due.absoluteText(in: parser.zone))
    }
  }

  /// Values of the filter `--due`: the words, and days or spans with their first and last day.
  init(dueFiltersOf parser: DueDateParser) {
    let filters = DueFilterParser(dates: parser)
    let spans = (Self.dateForms + ["this week", "this month", "mon..fri"]).compactMap { form -> CompletionCandidate? in
      guard case .within(let range) = try? filters.parse(form), let first = range.startDate,
        let last = range.endDate?.adding(days: -1)
      else { return nil }
      let days = first == last ? [first] : [first, last]
      let texts = days.map { DueDate.date($0).absoluteText(in: parser.zone) }
      return CompletionCandidate(value: form, description: texts.joined(separator: " to "))
    }
    self = ["overdue", "week", "none"].map { CompletionCandidate(value: $0) } + spans
  }

  private static var dateForms: [String] {
    [
      "today", "tomorrow", "weekend", "next week", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
      "sunday", "tonight", "eow", "eom", "next month",
    ]
  }

  /// The first candidates that begin with the current word of a line, ignoring case.
  ///
  /// A value with terminal control characters is left out, because its escaped form would be another value. So is a value that
  /// `todo` would read as an option.
  func matching(_ line: CompletionLine) -> [CompletionCandidate] {
    let text = line.current.lowercased()
    return Array(
      self.lazy.filter { $0.value.lowercased().hasPrefix(text) }
        .filter { !$0.value.unicodeScalars.contains(where: \.isTerminalControl) }
        .filter { line.isLiteral || $0.value.utf8.first != UInt8(ascii: "-") }
        .prefix(CompletionCandidate.limit))
  }
}
