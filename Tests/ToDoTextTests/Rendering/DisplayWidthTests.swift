import Testing

@testable import ToDoText

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0),
    ("milk", 4),
    ("é", 1),
    ("e\u{301}", 1),
    ("e\u{301}\u{327}", 1),
    ("牛乳", 4),
    ("ミルク", 6),
    ("ﾐﾙｸ", 3),
    ("ＡＢ", 4),
    ("우유", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2),
    ("か\u{3099}", 2),
    ("\u{3000}", 2),
    ("𠮷", 2),
    ("🥛", 2),
    ("👍🏽", 2),
    ("👨‍👩‍👧‍👦", 2),
    ("🇩🇪", 2),
    ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
    ("1️⃣", 2),
    ("❤️", 2),
    ("❤", 1),
    ("☎\u{FE0E}", 1),
    ("a\u{200B}b", 2),
    ("a\u{200D}b", 2),
    ("\u{FEFF}a", 1),
    ("שלום", 4),
    ("नमस्ते", 4),
    ("…", 1),
    ("→", 1),
  ])
  func displayWidth_matchesTerminalColumns(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("milk", 4, "milk"),
    ("milk", 3, "mi…"),
    ("milk", 1, "…"),
    ("milk", 0, ""),
    ("", 0, ""),
    ("牛乳を買う", 10, "牛乳を買う"),
    ("牛乳を買う", 9, "牛乳を買…"),
    ("牛乳を買う", 8, "牛乳を…"),
    ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"),
    ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
  ])
  func truncated_neverExceedsWidth(text: String, limit: Int, result: String) {
    #expect(text.truncated(toWidth: limit) == result)
  }

  @Test func padded_countsColumns() {
    #expect("牛乳".padded(toWidth: 6) == "牛乳  ")
    #expect("milk".padded(toWidth: 2) == "milk")
  }

  @Test func eastAsianWidth_rangesAreSorted() {
    let ranges = EastAsianWidth.ranges
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    #expect(EastAsianWidth.isWide("\u{1100}") && EastAsianWidth.isWide("\u{3FFFD}"))
    #expect(!EastAsianWidth.isWide("a") && !EastAsianWidth.isWide("\u{303F}") && !EastAsianWidth.isWide("\u{3FFFE}"))
  }
}
