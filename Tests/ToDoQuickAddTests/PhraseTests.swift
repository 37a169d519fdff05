import Synchronization
import Testing
import ToDoModel
import ToDoQuickAdd
import ToDoTestSupport

@Suite struct PhraseTests {
  private static let readers = Dictionary(
    uniqueKeysWithValues: Set(Phrase.all.map(\.locale)).map { ($0, QuickAddReader(locale: $0)) })

  /// How many phrases were read, and as meant.
  private static let counts = Mutex((read: 0, asMeant: 0))

  @Test(arguments: Phrase.all) func read_meansWhatTheWriterMeant(_ phrase: Phrase) throws {
    let reader = try #require(Self.readers[phrase.locale])
    let reading = reader.read(
      phrase.sentence, today: try #require(Phrase.today), now: Phrase.now, lists: Phrase.lists)
    let isAsMeant = Phrase.meaning(of: reading) == phrase.meaning
    #expect(isAsMeant, "\(Phrase.meaning(of: reading)) is not \(phrase.meaning)")
    let counts = Self.counts.withLock { counts in
      counts.read += 1
      counts.asMeant += isAsMeant ? 1 : 0
      return counts
    }
    if counts.read == Phrase.all.count { print("\(counts.asMeant) of \(counts.read) phrases were read as meant") }
  }

  @Test func corpus_hasAllLines() {
    #expect(Phrase.all.count >= 8200)
    #expect(Phrase.malformed == [])
  }

  @Test(arguments: [
    ("Trip late november", "2026-11-25", "2026-11-25"), ("Trip late november", "2026-11-10", "2026-11-21"),
    ("Send late this week", "2026-11-28", "2026-11-28"), ("Send late this week", "2026-11-24", "2026-11-27"),
    ("Plan in week 53", "2026-11-24", "2026-12-28"), ("Plan in week 53", "2027-01-01", "2027-01-01"),
    ("Plan in week 53", "2027-01-04", "2032-12-27"), ("Plan in week 1", "2026-12-30", "2027-01-04"),
  ])
  func read_ofSpan_isNextDayOfIt(_ sentence: String, _ today: String, _ expected: String) throws {
    let numbers = today.split(separator: "-").compactMap { Int($0) }
    let today = try #require(CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]))
    let reading = QuickAddReader(locale: "en_US").read(sentence, today: today, now: Phrase.now)
    #expect(Phrase.meaning(of: reading)[1] == expected)
    #expect(reading.notice == .span)
  }

  @Test(arguments: [QuickAddReader.wordLimit, QuickAddReader.wordLimit + 1])
  func read_ofSentenceOverLimit_isTitle(count: Int) throws {
    let sentence = (["Call"] + Array(repeating: "@Ann", count: count - 2) + ["tomorrow"]).joined(separator: " ")
    let reading = QuickAddReader(locale: "en_US").read(sentence, today: try #require(Phrase.today), now: Phrase.now)
    #expect((reading.due == nil) == (count > QuickAddReader.wordLimit))
    #expect(reading.notice == (count > QuickAddReader.wordLimit ? .long : nil))
    #expect(reading.words.count == count)
  }

  @Test(arguments: ["en_US", "de_DE", "fr_FR", "es_ES", "it_IT"])
  func read_ofRandomWords_losesNone(locale: String) throws {
    let words =
      Phrase.all.flatMap { $0.sentence.split(separator: " ").map(String.init) }
      + ["@", "#", "+", "-", "—", "(", ":(", "(a", "0", "99", "🏡", "/work", "/home", "/\"two", "words\""]
    let (reader, today) = (QuickAddReader(locale: locale), try #require(Phrase.today))
    let lists = Phrase.lists
    var generator = SeededGenerator(seed: 27)
    for _ in 0..<400 {
      let count = Int.random(in: 1...9, using: &generator)
      let sentence = (0..<count).compactMap { _ in words.randomElement(using: &generator) }.joined(separator: " ")
      let reading = reader.read(sentence, today: today, now: Phrase.now, lists: lists)
      #expect(reading.words.map(\.text).joined(separator: " ") == sentence)
      #expect(!reading.title.isEmpty)
      let kept = reading.words.filter { $0.role == .title }.map(\.text).joined(separator: " ")
      #expect(letters(reading.title) == letters(kept), "\(sentence)")
      if kept == sentence { #expect(withoutBullet(reading.title) == withoutBullet(sentence)) }
      #expect((reading.place != nil) == reading.words.contains { $0.role == .place }, "\(sentence)")
      #expect(reading.repetition == nil || reading.due != nil, "\(sentence)")
      #expect(reading.tags.isEmpty != reading.words.contains { $0.role == .tag }, "\(sentence)")
      #expect((reading.list != nil) == reading.words.contains { $0.role == .list }, "\(sentence)")
      #expect((reading.priority != nil) == reading.words.contains { $0.role == .priority }, "\(sentence)")
    }
  }

  /// A text from its first letter or digit on.
  private func withoutBullet(_ text: String) -> Substring { text.drop { !$0.isLetter && !$0.isNumber } }

  /// The letters and digits of a text, without the punctuation that a removed date leaves.
  private func letters(_ text: String) -> String { text.filter { $0.isLetter || $0.isNumber } }
}
