package import ToDoModel

/// Reads texts that are a repetition, such as `every tuesday 18:00`.
///
/// Reads the same words as `QuickAddReader`, also without `every`.
package struct RepetitionReader: Sendable {
  private let vocabulary: Vocabulary
  private let isMonthFirst: Bool

  /// - Parameter locale: the user's locale, such as `de_DE`. English is understood in all.
  package init(locale: String) {
    vocabulary = Vocabulary(locale: locale)
    isMonthFirst = DateOrder(locale: locale) == .monthFirst
  }

  /// The meaning of a text.
  package enum Result: Equatable, Sendable {
    /// The text repeats by a rule, and its first occurrence. The rule has only days that the text names, so it also fits an
    /// item that is first due on another day.
    case rule(Repetition.Rule, first: QuickAddReading.Due)
    /// The text can mean one of several repetitions, or two times.
    case ambiguous
    /// The first day of the text, or its end, lies in the past.
    case past
    /// These words repeat in a way that no rule can express.
    case unrepeatable(String, QuickAddReading.Unrepeatable)
    /// These words are not part of a repetition.
    case unread(String)
  }

  /// Returns the meaning of a text.
  ///
  /// - Parameters:
  ///   - today: the day in local time.
  ///   - now: the time of day in minutes after midnight.
  package func read(_ text: String, today: CalendarDate, now: Int) -> Result {
    let result = result(text, today, now)
    if case .unread = result, case .rule(let rule, let first) = self.result("every " + text, today, now) {
      return .rule(rule, first: first)
    }
    return result
  }

  private func result(_ text: String, _ today: CalendarDate, _ now: Int) -> Result {
    let texts = text.lowercased().split(whereSeparator: \.isWhitespace)
    guard texts.count <= Self.wordLimit else { return .unread(text) }
    let reader = DateReader(
      words: texts.map(Word.init), vocabulary: vocabulary, today: today, now: now, isMonthFirst: isMonthFirst)
    let pieces = Grammar(reader: reader, isRepetitionOnly: true).pieces().filter { !$0.isMention }
    let moment = Moment(pieces, reader)
    if case .unrepeatable(let words, let reason) = moment.notice { return .unrepeatable(words, reason) }
    let left = texts.indices.filter { position in !pieces.contains { $0.range.contains(position) } }
    guard left.isEmpty, pieces.contains(where: { $0.repetition != nil }) else {
      return .unread(left.isEmpty ? text : left.map { String(texts[$0]) }.joined(separator: " "))
    }
    switch moment.notice {
    case .ambiguous: return .ambiguous
    case .past: return .past
    case .unread(let words): return .unread(words)
    case .hour, .span, .long, .lists, .unrepeatable, nil: break
    }
    guard let rule = moment.writtenRule, let due = moment.due else { return .unread(text) }
    return .rule(rule, first: due)
  }

  /// The maximum number of words in a repetition.
  private static let wordLimit = 64
}
