import ToDoModel
import ToDoQuickAdd

/// A sentence about an item, such as `Dinner tomorrow 19:00 @Rossi`, and its meaning at a time.
struct ItemSentence: Equatable {
  /// The words that are neither the due date nor the place.
  let title: String
  let due: DueDate?
  /// The name of the place, or its coordinate as it was typed.
  let place: String?
  /// What the user should know about the reading, in one sentence.
  let notice: String?
  /// The words of the sentence and their roles, and the kind of the notice.
  let reading: QuickAddReading
}

/// Reads sentences about items in the user's language and time zone.
struct ItemSentenceReader: Sendable {
  private let reader: QuickAddReader
  private let zone: any TimeZoneRules

  /// - Parameter environment: returns the value of an environment variable, such as `LANG`.
  init(zone: any TimeZoneRules, environment: (String) -> String?) {
    reader = QuickAddReader(locale: Self.locale(environment) ?? "")
    self.zone = zone
  }

  /// Returns the locale of dates, such as `de_DE.UTF-8`, or `nil` if the environment specifies none.
  static func locale(_ environment: (String) -> String?) -> String? {
    ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
  }

  /// Reads a sentence. The title of a blank sentence is empty.
  func read(_ sentence: String, at now: Timestamp) -> ItemSentence {
    let local = zone.localTime(at: now)
    let today = local.date ?? .epoch
    let reading = reader.read(sentence, today: today, now: Int(local.time.microseconds / 60_000_000))
    let due = reading.due.flatMap { dueDate($0, at: now) }
    return ItemSentence(
      title: reading.title, due: due, place: reading.place,
      notice: reading.notice.map { $0.text(due: due?.shortText(today: today, in: zone)) }, reading: reading)
  }

  /// Returns the due date in the user's time zone, or `nil` outside the range that items can have.
  private func dueDate(_ due: QuickAddReading.Due, at now: Timestamp) -> DueDate? {
    let instant: Timestamp
    switch due {
    case .day(let date): return .date(date)
    case .time(let date, let minutes):
      instant = zone.instant(at: LocalTime(date, TimeOfDay(hour: 0, minute: minutes)))
    case .fromNow(let minutes):
      let (duration, isTooLong) = Int64(minutes).multipliedReportingOverflow(by: 60_000_000)
      let minute = now.microseconds - now.microseconds.flooredDivision(by: 60_000_000).remainder
      let (sum, isTooLate) = minute.addingReportingOverflow(duration)
      guard !isTooLong, !isTooLate else { return nil }
      instant = Timestamp(microseconds: sum)
    }
    return Timestamp.supportedRange.contains(instant) ? .time(instant) : nil
  }
}

extension QuickAddReading.Notice {
  /// - Parameter due: the due date that was read, such as `Fri 1 May`.
  fileprivate func text(due: String?) -> String {
    switch self {
    case .ambiguous: "No date was read, because the days or times don't combine."
    case .repeating:
      "Repeating is not supported yet; \(due.map { "due once, \($0)" } ?? "no date was read")."
    case .past: "No date was read, because it is in the past."
    case .hour: "The hour has no 'am' or 'pm'; read as \(due ?? "none")."
    case .span: "Due on the first day, \(due ?? "none")."
    case .unread(let words): "No date was read; '\(words.escapingControls())' only looks like one."
    }
  }
}
