import ToDoModel
import ToDoQuickAdd

extension FuzzTarget {
  /// The reader of sentences such as `Dinner tomorrow @Rossi`. The first line is the locale, if there is another one.
  static let sentences = FuzzTarget(name: "sentences") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let (locale, sentence) = lines.count == 2 ? (String(lines[0]), String(lines[1])) : ("", text)
    let today = CalendarDate(daysSinceEpoch: 20_781)
    let reading = QuickAddReader(locale: locale).read(sentence, today: today, now: 521)
    let words = sentence.split(whereSeparator: \.isWhitespace).map(String.init)
    precondition(reading.words.map(\.text) == words, "the words of a reading are those of the sentence, in order")
    precondition(reading.title.isEmpty == words.isEmpty, "a sentence with words has a title")
    let kept = reading.words.filter { $0.role == .title }.map(\.text).joined(separator: " ")
    precondition(letters(reading.title) == letters(kept), "the title has the words that are neither date nor place")
    precondition((reading.place != nil) == reading.words.contains { $0.role == .place }, "a place has words")
    precondition(reading.due != nil || !reading.words.contains { $0.role == .date }, "words of a date make a date")
    precondition(reading.repetition == nil || reading.due != nil, "what repeats has a first occurrence")
    _ = RepetitionReader(locale: locale).read(sentence, today: today, now: 521)
    let dates = DueDateReader(locale: locale)
    _ = dates.read(sentence, today: today, now: 521)
    _ = dates.span(sentence, today: today, now: 521)
    _ = dates.correction(of: sentence, today: today, now: 521)
  }

  /// The letters and digits of a text, without the punctuation that a removed date leaves.
  private static func letters(_ text: String) -> String { text.filter { $0.isLetter || $0.isNumber } }
}
