import Synchronization
import TestSupport
import Testing

@testable import ToDoModel

@Suite struct TextFilterTests {
  @Test(arguments: [
    ("milk", "Buy MILK now", true), ("MILK", "buy milk", true), ("milk", "mil k", false), ("k", "K", true),
    ("a", "", false), ("", "", true), ("", "a", true), ("aab", "aaaab", true), ("abab", "abacabab", true),
    ("[", "{", false), ("@", "`", false), ("50%", "150% of it", true),
    // Beyond ASCII.
    ("ÜBUNG", "die übung", true), ("übung", "ubung", false), ("straße", "STRASSE", false), ("ß", "ẞ", true),
    ("ОТЧЁТ", "мой отчёт готов", true), ("ΟΔΟΣ", "οδοσ", true), ("牛乳", "買う牛乳を", true), ("🥛", "a 🥛 b", true),
    ("caf", "CAFÉ", true), ("milk", "Ж MILK", true), ("milk", "Ж MIL", false), ("ж", "milk", false),
    // Canonically equivalent: composed and decomposed, the Kelvin and the Ångström sign.
    ("caf\u{e9}", "CAFE\u{301}", true), ("cafe\u{301}", "CAF\u{c9}", true), ("20 k", "20 \u{212a}", true),
    ("\u{e5}", "\u{212b}", true), ("\u{301}", "cafe\u{301}", false), ("がん", "か\u{3099}ん", true),
    ("\u{ac00}", "\u{1100}\u{1161}", true), ("i\u{307}", "\u{130}", true), ("\u{1f71}", "\u{3ac}", true),
  ])
  func matches_ignoresCaseAndCanonicalForm(_ text: String, _ title: String, _ isFound: Bool) {
    #expect(TextFilter(text).matches(ItemContent(title: title)) == isFound)
  }

  @Test func matches_agreesWithASearchOfCharacters() {
    var random = SeededGenerator(seed: 7)
    let letters = ["a", "b", "A", "B", "k", "é", "É", "ж", "Ж", "か", "e\u{301}", "\u{212a}", "🥛", "-", "z"]
    func text(_ count: ClosedRange<Int>, _ kinds: Int) -> String {
      (0..<Int.random(in: count, using: &random)).map { _ in letters[Int.random(in: 0..<kinds, using: &random)] }
        .joined()
    }
    for round in 0..<4_000 {
      let kinds = [2, 4, 9, letters.count][round % 4]
      let (needle, title) = (text(0...4, kinds), text(0...90, kinds))
      let expected = needle.isEmpty || title.lowercased().contains(needle.lowercased())
      #expect(TextFilter(needle).matches(ItemContent(title: title)) == expected, "\(needle) in \(title)")
    }
  }

  @Test func matches_whenBytesAreNotUTF8_findsWhatIs() {
    let bytes: [UInt8] = [0xFF, 0x61, 0xC3, 0x80, 0x62, 0xE2]
    for (text, isFound) in [("a", true), ("b", true), ("\u{e0}b", true), ("ab", false), ("k", false)] {
      #expect(bytes.withUnsafeBufferPointer(TextFilter(text).matches) == isFound, "\(text)")
    }
  }

  @Test func matches_findsANeedleAtEveryOffset_ofALongText() {
    let filter = TextFilter("Needle")
    for offset in 0..<200 {
      let title = String(repeating: "n", count: offset) + "NEEDLE" + String(repeating: "e", count: 7)
      #expect(filter.matches(ItemContent(title: title)))
      #expect(!filter.matches(ItemContent(title: title.replacing("DL", with: "D L"))))
    }
  }

  @Test(arguments: [
    ([0] + Array(repeating: 1, count: 511), Array(repeating: 1, count: 65_536)),
    (Array(repeating: 1, count: 511) + [0], Array(repeating: 1, count: 65_536)),
    ([1, 2, 1, 2, 1, 3], (0..<65_536).map { 1 + $0 % 2 }),
  ])
  func search_comparesEachElementTwiceAtMost(_ needle: [Int], _ text: [Int]) {
    let counter = Counter()
    let search = SubstringSearch(needle.map { Counted(value: $0, counter: counter) })
    counter.count.store(0, ordering: .relaxed)
    var place = search.start
    for value in text { #expect(!search.advance(&place, Counted(value: value, counter: counter))) }
    // One comparison follows each element, and one each shortening of the match.
    #expect(counter.count.load(ordering: .relaxed) <= 3 * text.count)
  }
}

private final class Counter: Sendable {
  let count = Atomic(0)
}

private struct Counted: Equatable, Sendable {
  let value: Int
  let counter: Counter

  static func == (left: Self, right: Self) -> Bool {
    left.counter.count.add(1, ordering: .relaxed)
    return left.value == right.value
  }
}
