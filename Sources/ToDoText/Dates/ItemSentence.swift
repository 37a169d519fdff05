package import ToDoModel
package import ToDoQuickAdd

/// A sentence about an item, such as `Dinner tomorrow 19:00 @Rossi`, and its meaning at a time.
package struct ItemSentence: Equatable {
  /// The words that are neither the due date nor the place nor marks.
  package let title: String
  /// The due date that was read.
  package let due: DueDate?
  /// The repetition, in the user's time zone; `nil` if the item does not repeat. `due` is its first occurrence.
  package let repetition: Repetition?
  /// The place's name, or its coordinate as it was typed.
  package let place: String?
  /// A remark about the reading for the user, in one sentence; `nil` if there is none.
  package let notice: String?
  /// The readings from which the user can choose, because the date is ambiguous or past.
  package let alternatives: [Alternative]
  /// The words with their roles, and the kind of notice.
  package let reading: QuickAddReading

  /// The sentence's reading if one of its dates is meant.
  package struct Alternative: Equatable {
    /// The words that are not the date.
    package let title: String
    /// The due date, or `nil` for none.
    package let due: DueDate?
    /// The repetition; `nil` if the item then does not repeat.
    package let repetition: Repetition?

    /// Creates a reading.
    package init(title: String, due: DueDate?, repetition: Repetition? = nil) {
      (self.title, self.due, self.repetition) = (title, due, repetition)
    }
  }

  /// The tags, in the order of the sentence.
  package var tags: [String] { reading.tags }
  /// The priority that was read.
  package var priority: Priority? { reading.priority }
  /// The name of the list that the sentence names.
  package var list: String? { reading.list }
  /// The words that name the list, as they were typed.
  package var listWords: String { words(.list) }
  /// The words of the due date, as they were typed.
  package var dateWords: String { words(.date) }
  /// Whether the notice says that the date is in the past.
  package var isPast: Bool { reading.notice == .past }

  private func words(_ role: QuickAddReading.Role) -> String {
    reading.words.filter { $0.role == role }.map(\.text).joined(separator: " ")
  }

  /// Whether the sentence has words that look like a date, but no date was read.
  package var lacksDate: Bool {
    switch reading.notice {
    case .ambiguous, .past, .unread, .unrepeatable, .long: true
    case .hour, .span, .lists, nil: false
    }
  }
}

/// Reads sentences about items in the user's language and time zone.
package struct ItemSentenceReader: Sendable {
  private let reader: QuickAddReader
  private let zone: any TimeZoneRules
  /// The IANA name of the zone, in which items repeat.
  private let zoneName: String

  /// - Parameters:
  ///   - zoneName: the IANA name of the zone, in which items repeat.
  ///   - environment: returns the value of an environment variable, such as `LANG`.
  package init(zone: any TimeZoneRules, zoneName: String = "", environment: (String) -> String?) {
    self.init(zone: zone, zoneName: zoneName, locale: Self.locale(environment) ?? "")
  }

  /// - Parameters:
  ///   - zoneName: the IANA name of the zone, in which items repeat.
  ///   - locale: the writer's locale, such as `de_DE`; empty if it is not known.
  package init(zone: any TimeZoneRules, zoneName: String, locale: String) {
    reader = QuickAddReader(locale: locale)
    (self.zone, self.zoneName) = (zone, zoneName)
  }

  /// Returns the locale of dates, such as `de_DE.UTF-8`, or `nil` if the environment specifies none.
  package static func locale(_ environment: (String) -> String?) -> String? {
    ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
  }

  /// Reads a sentence. The title of a blank sentence is empty.
  ///
  /// - Parameters:
  ///   - readsDue: whether a due date is read. Otherwise its words stay in the title.
  ///   - readsPlace: whether a place is read. Otherwise its words stay in the title.
  package func read(
    _ sentence: String, at now: Timestamp, lists: Set<String> = [], readsDue: Bool = true, readsPlace: Bool = true
  ) -> ItemSentence {
    let local = zone.localTime(at: now)
    let today = local.date ?? .epoch
    let reading = reader.read(
      sentence, today: today, now: Int(local.time.microseconds / 60_000_000), lists: lists, readsDue: readsDue,
      readsPlace: readsPlace)
    let dates = DueDateParser(now: now, zone: zone)
    let due = reading.due.flatMap(dates.dueDate)
    return ItemSentence(
      title: reading.title, due: due, repetition: reading.repetition.map { Repetition($0, timeZone: zoneName) },
      place: reading.place,
      notice: reading.notice.map { $0.text(due: due?.shortText(today: today, in: zone)) },
      alternatives: reading.alternatives.compactMap { alternative in
        dates.dueDate(alternative.due).map { due in
          ItemSentence.Alternative(
            title: alternative.title, due: due,
            repetition: alternative.repetition.map { Repetition($0, timeZone: zoneName) })
        }
      }, reading: reading)
  }
}

extension QuickAddReading.Unrepeatable {
  /// The reason why words are not read as a repetition, as a text that follows these words.
  var text: String {
    switch self {
    case .often: "repeats within a day; items repeat by days, weeks, months or years"
    case .several: "happens more than once; add an item for each"
    case .vague: "doesn't say when"
    case .uneven: "is not a whole number of days"
    case .unsupported: "can't be expressed as a rule"
    case .conflict: "is more than one repetition; add an item for each"
    case .ends: "are two ends; leave out one of them"
    }
  }
}

extension QuickAddReading.Notice {
  /// - Parameter due: the due date that was read, such as `Fri 1 May`.
  fileprivate func text(due: String?) -> String {
    switch self {
    case .ambiguous: "No date was read, because the days or times don't combine."
    case .unrepeatable(let words, let reason):
      "No date was read, because '\(words.escapingControls())' \(reason.text)."
    case .past: "No date was read, because it is in the past."
    case .hour: "The hour has no 'am' or 'pm'; read as \(due ?? "none")."
    case .span: "Due on the first day, \(due ?? "none")."
    case .long: "No date was read, because the text has over \(QuickAddReader.wordLimit) words."
    case .unread(let words): "No date was read; '\(words.escapingControls())' only looks like one."
    case .lists(let names):
      "No list was read, because \(names.map { "'\($0.escapingControls())'" }.joined(separator: " and ")) are more than one."
    }
  }
}
