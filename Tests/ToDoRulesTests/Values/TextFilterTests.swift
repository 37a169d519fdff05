@_spi(_Unicode) import Swift
import Testing
import ToDoTestSupport

@testable import ToDoModel
@testable import ToDoRules

@Suite struct TextFilterTests {
  @Test(
    arguments: [
      ("milk", "Buy MILK now", true), ("MILK", "buy milk", true), ("milk", "mil k", false), ("k", "K", true),
      ("a", "", false), ("", "", true), ("", "a", true), ("aab", "aaaab", true), ("abab", "abacabab", true),
      ("[", "{", false), ("@", "`", false), ("50%", "150% of it", true),
      // Outside ASCII.
      ("ÜBUNG", "die übung", true), ("übung", "ubung", true), ("straße", "STRASSE", true), ("ß", "ẞ", true),
      ("ОТЧЁТ", "мой отчёт готов", true), ("ΟΔΟΣ", "οδοσ", true), ("σίσυφος", "ΣΊΣΥΦΟΣ", true), ("ΟΔΟΣ", "οδος", true),
      ("牛乳", "買う牛乳を", true), ("🥛", "a 🥛 b", true),
      ("caf", "CAFÉ", true), ("milk", "Ж MILK", true), ("milk", "Ж MIL", false), ("ж", "milk", false),
      // Canonically equivalent texts: composed and decomposed forms, the Kelvin sign and the Ångström sign.
      ("caf\u{e9}", "CAFE\u{301}", true), ("cafe\u{301}", "CAF\u{c9}", true), ("20 k", "20 \u{212a}", true),
      ("\u{e5}", "\u{212b}", true), ("がん", "か\u{3099}ん", true), ("かん", "がん", false),
      ("\u{5b0}", "ב\u{5b0}", false), ("\u{5b0}", "\u{5b0}a", true), ("ב", "ב\u{5b0}", false),
      ("k", "\u{212a}", true),
      ("q\u{323}\u{307}", "q\u{307}\u{323}", true), ("\u{1ed9}", "o\u{302}\u{323}", true), ("क", "का", false),
      ("\u{ac01}", "\u{1100}\u{1161}\u{11a8}", true), ("\u{ac00}", "\u{ac00}\u{11a8}", false),
      ("\u{10428}", "\u{10400}", true),
      ("❤", "❤\u{fe0f}", false), ("❤\u{fe0f}", "a❤\u{fe0f}", true), ("\u{8c48}", "\u{f900}", true), ("ꭰ", "Ꭰ", true),
      ("ΐ", "Ι\u{308}\u{301}", true), ("\u{1f82}", "α\u{313}\u{300}\u{345}", true), ("i", "İ", true),
      ("\u{3bc}", "\u{b5}", false),
      ("\u{ac00}", "\u{1100}\u{1161}", true), ("i\u{307}", "\u{130}", true), ("\u{1f71}", "\u{3ac}", true),
      // Accents.
      ("cafe", "CAFE\u{301}", true), ("café", "cafe", true), ("\u{301}", "cafe", true),
      ("a\u{301}b", "a\u{323}b", true),
      ("Alvarez", "Álvarez", true), ("elka", "ЁЛКА", false), ("ёлка", "ЕЛКА", true), ("αθηνα", "Αθήνα", true),
      ("lodz", "Łódź", true), ("smorrebrod", "Smørrebrød", true), ("ægir", "AEGIR", true), ("ısı", "isi", true),
      // Words in any order.
      ("milk buy", "Buy milk", true), ("cafe the", "The Café", true), ("mil bu", "Buy milk", true),
      ("milk bread", "Buy milk", false), ("milk milk", "Buy milk", true), ("buy  milk", "Buy milk", true),
      (" milk\n", "milk", true), (" ", "milk", true), ("牛乳\u{3000}買う", "買う牛乳を", true), ("buymilk", "Buy milk", false),
      ("a b", "b", false), ("a b", "ab", true),
    ] as [(String, String, Bool)])
  func matches_ignoresCaseAccentsAndCanonicalForm(_ text: String, _ title: String, _ isFound: Bool) {
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
      let word = plain(needle)
      let expected = word.isEmpty || plain(title).contains(word)
      #expect(TextFilter(needle).matches(ItemContent(title: title)) == expected, "\(needle) in \(title)")
    }
  }

  /// A text in lower case, without accents.
  private func plain(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.lowercased()._nfd where !("\u{300}"..."\u{36F}").contains(scalar) { scalars.append(scalar) }
    return String(scalars).replacing("ß", with: "ss").replacing("ı", with: "i")
  }

  @Test func matches_whenWordsAreInSeveralTexts_isFound() {
    var content = ItemContent(title: "Buy milk", itemDescription: "two bottles", location: Location(name: "Café Rossi"))
    #expect(TextFilter("rossi two cafe MILK").matches(content))
    #expect(!TextFilter("rossi two cafe bread").matches(content))
    #expect(TextFilter("rossi cafe").matches(placeOf: content))
    #expect(!TextFilter("rossi milk").matches(placeOf: content))
    // A word is in one text.
    content.itemDescription = "mil"
    content.title = "k"
    #expect(!TextFilter("milk").matches(content))
  }

  @Test func matches_whenThereAreManyWords_takesTheLastOnesAsOne() {
    let words = (1...20).map { "word\($0)." }
    let filter = TextFilter(words.joined(separator: " "))
    #expect(filter.matches(ItemContent(title: words.joined(separator: " "))))
    let rest = words[15...].joined(separator: " ")
    #expect(filter.matches(ItemContent(title: rest + " " + words[..<15].reversed().joined(separator: " "))))
    #expect(!filter.matches(ItemContent(title: words.reversed().joined(separator: " "))))
    #expect(TextFilter(words[..<16].joined(separator: " ")).matches(ItemContent(title: words.reversed().joined())))
  }

  @Test func matches_whenBytesAreNotUTF8_matchesValidParts() {
    let bytes: [UInt8] = [0xFF, 0x61, 0xE2, 0xC3, 0x80, 0x62, 0xE2]
    for (text, isFound) in [("a", true), ("b", true), ("\u{e0}b", true), ("aa", false), ("k", false)] {
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
    #expect(!TextFilter(needle + "x").matches(ItemContent(title: text + "x\u{5b0}")))
  }

  @Test func append_whenMarksAreUnordered_sortsThemByClass() {
    var random = SeededGenerator(seed: 3)
    let marks = [
      "\u{301}", "\u{323}", "\u{345}", "\u{5b0}", "\u{5b4}", "\u{5bc}", "\u{591}", "\u{3099}", "\u{1ab0}", "\u{1ab7}",
    ]
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
