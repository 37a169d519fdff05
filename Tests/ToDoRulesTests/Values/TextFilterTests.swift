import Testing
import ToDoTestSupport

@testable import ToDoModel
@testable import ToDoRules

@Suite struct TextFilterTests {
  @Test(arguments: [
    ("milk", "Buy MILK now", true), ("MILK", "buy milk", true), ("milk", "mil k", false), ("k", "K", true),
    ("a", "", false), ("", "", true), ("", "a", true), ("aab", "aaaab", true), ("abab", "abacabab", true),
    ("[", "{", false), ("@", "`", false), ("50%", "150% of it", true),
    // Outside ASCII.
    ("ÜBUNG", "die übung", true), ("übung", "ubung", false), ("straße", "STRASSE", false), ("ß", "ẞ", true),
    ("ОТЧЁТ", "мой отчёт готов", true), ("ΟΔΟΣ", "οδοσ", true), ("σίσυφος", "ΣΊΣΥΦΟΣ", true), ("ΟΔΟΣ", "οδος", true),
    ("牛乳", "買う牛乳を", true), ("🥛", "a 🥛 b", true),
    ("caf", "CAFÉ", true), ("milk", "Ж MILK", true), ("milk", "Ж MIL", false), ("ж", "milk", false),
    // Canonically equivalent texts: composed and decomposed forms, the Kelvin sign and the Ångström sign.
    ("caf\u{e9}", "CAFE\u{301}", true), ("cafe\u{301}", "CAF\u{c9}", true), ("20 k", "20 \u{212a}", true),
    ("\u{e5}", "\u{212b}", true), ("\u{301}", "cafe\u{301}", false), ("がん", "か\u{3099}ん", true),
    ("cafe", "cafe\u{301}", false), ("cafe", "caf\u{e9} cafe", true), ("\u{301}", "\u{301}a", true),
    ("k", "\u{212a}", true),
    ("q\u{323}\u{307}", "q\u{307}\u{323}", true), ("\u{1ed9}", "o\u{302}\u{323}", true), ("क", "का", false),
    ("\u{ac01}", "\u{1100}\u{1161}\u{11a8}", true), ("\u{ac00}", "\u{ac00}\u{11a8}", false),
    ("\u{10428}", "\u{10400}", true),
    ("❤", "❤\u{fe0f}", false), ("❤\u{fe0f}", "a❤\u{fe0f}", true), ("\u{8c48}", "\u{f900}", true), ("ꭰ", "Ꭰ", true),
    ("ΐ", "Ι\u{308}\u{301}", true), ("\u{1f82}", "α\u{313}\u{300}\u{345}", true), ("i", "İ", false),
    ("\u{3bc}", "\u{b5}", false),
    ("\u{ac00}", "\u{1100}\u{1161}", true), ("i\u{307}", "\u{130}", true), ("\u{1f71}", "\u{3ac}", true),
  ])
  func matches_ignoresCaseAndCanonicalForm(_ text: String, _ title: String, _ isFound: Bool) {
    #expect(TextFilter(text).matches(ItemContent(title: title)) == isFound)
  }

  @Test func matches_withRandomTexts_agreesWithCharacterSearch() {
    var random = SeededGenerator(seed: 7)
    let letters = [
      "a", "b", "A", "B", "k", "é", "É", "ж", "Ж", "か", "e\u{301}", "\u{212a}", "🥛", "-", "z", "e", "ı", "İ", "I", "ß",
      "ẞ",
      "Й", "й", "и", "q\u{323}\u{307}", "q\u{307}\u{323}", "q", "Ά", "ά", "ᾂ", "\u{1100}\u{1161}", "가", "각", "का", "क",
      "x\u{345}\u{301}\u{323}", "ệ", "\u{10400}", "\u{10428}", "\u{1d15e}", "豈", "\u{8c48}", "A\u{30a}", "Å",
      "0123456789",
    ]
    func text(_ count: ClosedRange<Int>, _ kinds: Int) -> String {
      (0..<Int.random(in: count, using: &random)).map { _ in letters[Int.random(in: 0..<kinds, using: &random)] }
        .joined()
    }
    for round in 0..<10_000 {
      let kinds = [2, 4, 9, 15, letters.count][round % 5]
      let (needle, title) = (text(0...4, kinds), text(0...90, kinds))
      let expected = needle.isEmpty || title.lowercased().contains(needle.lowercased())
      #expect(TextFilter(needle).matches(ItemContent(title: title)) == expected, "\(needle) in \(title)")
    }
  }

  @Test func matches_whenBytesAreNotUTF8_matchesValidParts() {
    let bytes: [UInt8] = [0xFF, 0x61, 0xC3, 0x80, 0x62, 0xE2]
    for (text, isFound) in [("a", true), ("b", true), ("\u{e0}b", true), ("ab", false), ("k", false)] {
      var folded = FoldedText()
      bytes.withUnsafeBufferPointer { folded.append($0) }
      #expect(TextFilter(text).matches(folded) == isFound, "\(text)")
    }
  }

  @Test func matches_whenTextIsLong_findsNeedleAtEveryOffset() {
    let filter = TextFilter("Needle")
    for offset in 0..<200 {
      let title = String(repeating: "n", count: offset) + "NEEDLE" + String(repeating: "e", count: 7)
      #expect(filter.matches(ItemContent(title: title)))
      #expect(!filter.matches(ItemContent(title: title.replacing("DL", with: "D L"))))
    }
  }

  @Test(arguments: ["a", "\u{391}", "e\u{301}", "가", "\u{1100}\u{1161}", "q\u{307}\u{323}", "A-"])
  func matches_whenAMarkFollowsEachMatch_takesLinearTime(_ letter: String) {
    let needle = String(repeating: letter, count: 100)
    let text = String(repeating: letter, count: 20_000)
    #expect(TextFilter(needle).matches(ItemContent(title: text)))
    #expect(!TextFilter(needle + "x").matches(ItemContent(title: text + "x\u{331}")))
  }

  @Test func append_whenMarksAreUnordered_sortsThemByClass() {
    var random = SeededGenerator(seed: 3)
    let marks = ["\u{301}", "\u{323}", "\u{327}", "\u{345}", "\u{5b0}", "\u{302}"]
    for _ in 0..<300 {
      let run = (0..<Int.random(in: 0...40, using: &random)).map { _ in marks.randomElement(using: &random) ?? "" }
      // Stable by class, as two marks of one class are not interchangeable.
      let text = "o" + run.joined()
      let other =
        "o"
        + run.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
        .map(\.element).joined()
      #expect(text == other)
      #expect(TextFilter(text).matches(ItemContent(title: "b" + other)))
    }
  }

  private func rank(_ mark: String) -> UInt8 {
    mark.unicodeScalars.first?.properties.canonicalCombiningClass.rawValue ?? 0
  }
}
