import Testing

@testable import ToDoGeocoders

@Suite struct FoldedAddressTests {
  /// Returns the words, with a bar between the parts of the address.
  private func folded(_ text: String) throws -> String {
    try GazetteerSource.embedded.withFile { file in
      let folded = FoldedAddress(text, by: FoldTable(entries: file.folds, pool: file.pool))
      let parts = Dictionary(grouping: folded.words.indices) { folded.words[$0].part }.sorted { $0.key < $1.key }
      return parts.map { part in part.value.map { folded.text(of: $0..<$0 + 1) }.joined(separator: " ") }
        .joined(separator: " | ")
    }
  }

  @Test(arguments: [
    ("MÜNCHEN", "munchen"), ("mu\u{308}nchen", "munchen"), ("São Paulo", "sao paulo"), ("İstanbul", "istanbul"),
    ("ISTANBUL", "istanbul"), ("Diyarbakır", "diyarbakir"), ("Zürich", "zurich"), ("Straße", "strasse"),
    ("GROẞ", "gross"), ("Łódź", "lodz"), ("Tromsø", "tromso"), ("Ærø", "aero"), ("Đà Nẵng", "da nang"),
    ("ΑΘΉΝΑ", "αθηνα"), ("Πειραιάς", "πειραιασ"), ("Йошкар-Ола", "иошкар ола"), ("Орёл", "орел"),
    ("أَبُو ظَبْي", "ابو ظبي"), ("تهران", "تهران"), ("یزد", "يزد"), ("יְרוּשָׁלַיִם", "ירושלים"), ("東京", "東京"),
    ("ｔｏｋｙｏ", "tokyo"), ("パリ", "パリ"), ("서울", "서울"), ("दिल्ली", "दिल्ली"), ("１２", "12"), ("٣", "3"),
  ])
  func letters_areFolded(text: String, expected: String) throws {
    #expect(try folded(text) == expected)
  }

  @Test(arguments: [
    ("L'Aquila", "laquila"), ("O’Fallon", "ofallon"), ("Val-d'Or", "val dor"), ("Frankfurt (Oder)", "frankfurt oder"),
    ("St.Petersburg", "st petersburg"), ("St. Louis", "st louis"), ("Washington, D.C.", "washington | dc"),
    ("U.S.A.", "usa"), ("Str.5", "str 5"), ("a,,b,", "a | b"), ("a\nb", "a | b"), ("東京、日本", "東京 | 日本"),
    ("القاهرة، مصر", "القاهره | مصر"), (" \t ", ""), ("زن\u{200C}جان", "زنجان"), ("ニュー・ヨーク", "ニューヨーク"),
  ])
  func separators_splitWordsAndParts(text: String, expected: String) throws {
    #expect(try folded(text) == expected)
  }

  @Test func words_whenBeyondLimit_areIgnored() throws {
    let words = try folded(String(repeating: "a ", count: 100)).split(separator: " ")
    #expect(words.count == FoldedAddress.wordLimit)
  }

  /// Checks that `make-gazetteer` folds names as `FoldedAddress` does. Names that were folded differently would not be found.
  @Test func names_whenFolded_areInIndex() throws {
    try GazetteerSource.embedded.withFile { file in
      let index = NameIndex(file)
      for number in stride(from: 0, to: file.placeCount, by: 37) {
        let name = file.text(try #require(file.record(number)).name)
        let folded = FoldedAddress(name, by: FoldTable(entries: file.folds, pool: file.pool))
        let match = index.find(folded.bytes(of: folded.words.indices))
        let postings = match.postingsOffset.map(index.postings) ?? []
        #expect(postings.contains { $0.record == number && $0.quality == .name }, "\(name)")
      }
    }
  }

  @Test func streetWords_areFolded() throws {
    for word in StreetWords.all { #expect(try folded(word) == word) }
  }
}
