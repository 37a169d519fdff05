package import ToDoModel

/// Reads texts that are a date or a time, such as `tomorrow 17:00`, or days from one to another, such as `next week`.
///
/// Reads the same words as `QuickAddReader`. As nothing else can be meant, a duration such as `3d` counts from today, a date after
/// a day of the week may be past, and `mon 9` is 9:00.
package struct DueDateReader: Sendable {
  /// The maximum number of words in a date. A text with more is not a date.
  private static let wordLimit = 32

  private let vocabulary: Vocabulary
  private let isMonthFirst: Bool

  /// - Parameter locale: the user's locale, such as `de_DE`. English is understood in all.
  package init(locale: String) {
    vocabulary = Vocabulary(locale: locale)
    isMonthFirst = DateOrder(locale: locale) == .monthFirst
  }

  /// Returns the meaning of a text, or `nil` if it is not a date.
  ///
  /// - Parameters:
  ///   - today: the day in local time.
  ///   - now: the time of day in minutes after midnight.
  package func read(_ text: String, today: CalendarDate, now: Int) -> QuickAddReading.Due? {
    WholeDate(reader(text, today, now))?.due
  }

  /// Returns the days or times that a text means, or `nil` if it means none, or a single time.
  ///
  /// | form | meaning |
  /// | --- | --- |
  /// | `tomorrow`, `28 nov` | the day |
  /// | `weekend`, `next week`, `this month` | all its days, also those that are past |
  /// | `before fri`, `after 28 nov` | all days before the day or the first day of the span; after the last one |
  /// | `mon..fri`, `28 nov..3 dec`, `mon to fri` | the days from the first to the last; one of them can be omitted beside `..` |
  package func span(_ text: String, today: CalendarDate, now: Int) -> DueSpan? {
    let reader = reader(text, today, now)
    return reader.words.isEmpty ? nil : SpanReader(reader: reader).span(text.lowercased())
  }

  /// Whether a text begins with a duration that can count from a day other than today: `2d`, `+2h`, but not `in 2d`.
  package func beginsWithDuration(_ text: String) -> Bool {
    let reader = reader(text, CalendarDate(daysSinceEpoch: 0), 0)
    if reader.words.first?.text.hasPrefix("+") == true { return true }
    guard let duration = reader.duration(0) else { return false }
    return reader.skip(duration.end, .fromNow) == nil && reader.skip(duration.end, .ago) == nil
  }

  /// Returns the text with unknown words replaced by the nearest known ones, or `nil` if that is not a date either.
  package func correction(of text: String, today: CalendarDate, now: Int) -> String? {
    let reader = reader(text, today, now)
    let words = reader.words.map { vocabulary.nearestWord(to: $0.key) ?? $0.text }
    let corrected = words.joined(separator: " ")
    guard words != reader.words.map(\.text),
      read(corrected, today: today, now: now) != nil || span(corrected, today: today, now: now) != nil
    else { return nil }
    return corrected
  }

  private func reader(_ text: String, _ today: CalendarDate, _ now: Int) -> DateReader {
    let texts = text.lowercased().split(whereSeparator: \.isWhitespace)
    return DateReader(
      words: texts.count > Self.wordLimit ? [] : texts.map(Word.init), vocabulary: vocabulary, today: today, now: now,
      isMonthFirst: isMonthFirst, isDateOnly: true)
  }
}

/// The due dates from one to another.
package struct DueSpan: Equatable, Sendable {
  /// The first day or time, or `nil` for no bound.
  package var start: QuickAddReading.Due?
  /// The day or time at which the span ends, and which is not in it; `nil` for no bound.
  package var end: QuickAddReading.Due?
}
