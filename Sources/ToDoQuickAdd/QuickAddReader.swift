package import ToDoModel

/// Reads sentences such as `Dinner tomorrow 19:00 @Rossi`.
///
/// A day and a time may stand apart. If the sentence has two days or two times that do not combine, or a word that only looks like
/// a day, no date is read and the words stay in the title. The title never ends in a word that needs another one. `#tag`, `+tag`
/// and `!` to `!!!` are tags and the priority, wherever they stand; so is `/name` the list, if the user has one with this name.
package struct QuickAddReader: Sendable {
  /// The maximum number of words in a sentence that is read, because the grammar's time is not linear.
  package static let wordLimit = 256

  private let vocabulary: Vocabulary
  private let isMonthFirst: Bool

  /// - Parameter locale: the user's locale, such as `de_DE`. English is understood in all.
  package init(locale: String) {
    vocabulary = Vocabulary(locale: locale)
    isMonthFirst = DateOrder(locale: locale) == .monthFirst
  }

  /// Reads a sentence.
  ///
  /// - Parameters:
  ///   - today: the day in local time.
  ///   - now: the time of day in minutes after midnight.
  ///   - lists: the names of the user's lists. Only these are read as lists after a slash.
  ///   - readsDue: whether a date is read. Otherwise its words stay in the title.
  ///   - readsPlace: whether a place is read. Otherwise its words stay in the title.
  package func read(
    _ sentence: String, today: CalendarDate, now: Int, lists: Set<String> = [], readsDue: Bool = true,
    readsPlace: Bool = true
  ) -> QuickAddReading {
    let texts = sentence.split(whereSeparator: \.isWhitespace)
    guard texts.count <= Self.wordLimit else { return Self.unread(texts) }
    var words = texts.map(Word.init)
    let lists = ListMarks(words, in: lists, vocabulary)
    for position in lists.ranges.joined() { words[position].isList = true }
    let reader = DateReader(
      words: words, vocabulary: vocabulary, today: today, now: now, isMonthFirst: isMonthFirst)
    let hasPlace = readsPlace && words.dropFirst().contains { $0.text.hasPrefix("@") }
    let place = hasPlace ? PlaceReader(grammar: Grammar(reader: reader)).place() : nil
    let pieces = readsDue ? Grammar(reader: reader, place: place?.range ?? 0..<0).pieces() : []
    return reading(reader, pieces, place, lists)
  }

  /// Returns the meaning of a sentence's parts.
  private func reading(
    _ reader: DateReader, _ pieces: [Piece], _ place: (name: String, range: Range<Int>)?, _ lists: ListMarks
  ) -> QuickAddReading {
    let words = reader.words
    let moment = Moment(pieces, reader)
    let placeRanges = [place?.range].compactMap(\.self)
    let otherRanges = placeRanges + (lists.name == nil ? [] : lists.ranges)
    let pieceRanges = Self.ranges(of: pieces, besides: otherRanges, reader, vocabulary)
    var dateRanges = moment.due == nil ? [] : pieceRanges
    var marks = Marks(words, except: pieceRanges + placeRanges, vocabulary)
    var title = Title(words, without: dateRanges + otherRanges + marks.ranges)
    var (due, rule, notice) = (moment.due, moment.rule, moment.notice)
    if !marks.ranges.isEmpty, !title.isComplete(vocabulary) {
      marks = Marks()
      title = Title(words, without: dateRanges + otherRanges)
    }
    if !dateRanges.isEmpty, !title.isComplete(vocabulary) {
      (due, rule, notice, dateRanges) = (nil, nil, nil, [])
      title = Title(words, without: otherRanges + marks.ranges)
    }
    guard !title.text.isEmpty else {
      return QuickAddReading(title: words.map(\.text).joined(separator: " "), words: words.map { ($0.text, .title) })
    }
    return QuickAddReading(
      title: title.text, due: due, repetition: rule, place: place?.name, tags: marks.tags, priority: marks.priority,
      list: lists.name, notice: Self.notice(notice, lists),
      alternatives: alternatives(
        moment.candidates, reader, without: pieceRanges, otherRanges + marks.ranges, elseTitled: title),
      words: words.enumerated().map { position, word in
        let isIn = { (ranges: [Range<Int>]) in ranges.contains { $0.contains(position) } }
        let role: QuickAddReading.Role =
          isIn(placeRanges) ? .place : isIn(otherRanges) ? .list : isIn(dateRanges) ? .date : marks.role(of: position)
        return (word.text, role)
      })
  }

  /// Returns the words of the date. A word such as `repeat` before a repetition is the title if nothing else is:
  /// `Repeat every monday +work`.
  private static func ranges(
    of pieces: [Piece], besides others: [Range<Int>], _ reader: DateReader, _ vocabulary: Vocabulary
  ) -> [Range<Int>] {
    let pieces = pieces.filter { !$0.isMention }
    var ranges = pieces.map(\.range)
    guard let index = pieces.firstIndex(where: { $0.repetition != nil }),
      let end = reader.skip(ranges[index].lowerBound, .repeating), end < ranges[index].upperBound
    else { return ranges }
    let marks = Marks(reader.words, except: ranges + others, vocabulary)
    guard Title(reader.words, without: ranges + others + marks.ranges).text.isEmpty else { return ranges }
    ranges[index] = end..<ranges[index].upperBound
    return ranges
  }

  /// Returns the notice about a date, unless it only says how the date was completed, and more than one list is named.
  private static func notice(_ notice: QuickAddReading.Notice?, _ lists: ListMarks) -> QuickAddReading.Notice? {
    guard lists.names.count > 1 else { return notice }
    switch notice {
    case nil, .hour, .span: return .lists(lists.names)
    default: return notice
    }
  }

  /// Returns the reading of a sentence that is too long.
  private static func unread(_ texts: [Substring]) -> QuickAddReading {
    let words = texts.map(String.init)
    return QuickAddReading(title: words.joined(separator: " "), notice: .long, words: words.map { ($0, .title) })
  }

  /// Returns a reading for each date. The title then lacks that date, unless it would be incomplete.
  private func alternatives(
    _ candidates: [Moment.Candidate], _ reader: DateReader, without dates: [Range<Int>], _ places: [Range<Int>],
    elseTitled title: Title
  ) -> [QuickAddReading.Alternative] {
    guard !candidates.isEmpty else { return [] }
    let gaps = zip(dates, dates.dropFirst()).map { $0.upperBound..<$1.lowerBound }
      .filter { reader.skip($0.lowerBound, .and) == $0.upperBound }
    let shortened = Title(reader.words, without: dates + gaps + places)
    let text = shortened.isComplete(vocabulary) ? shortened.text : title.text
    return candidates.map { QuickAddReading.Alternative(title: text, due: $0.due, repetition: $0.rule) }
  }
}
