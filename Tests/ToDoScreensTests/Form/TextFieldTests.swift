import Testing
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

@Suite struct TextFieldTests {
  /// Returns a field whose cursor is where the text has a bar.
  private func field(_ text: String, limit: Int = 1000, isMultiline: Bool = false) -> TextField {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    var field = TextField(parts.joined(), limit: limit, isMultiline: isMultiline)
    _ = field.moveCursor(to: parts[0].count)
    return field
  }

  /// Returns the text with a bar at the cursor.
  private func marked(_ field: TextField) -> String {
    let characters = field.cells.map(\.character)
    return String(characters[..<field.cursor]) + "|" + String(characters[field.cursor...])
  }

  /// A text, a key and the text after it.
  struct Step: Sendable {
    let before: String
    let key: KeyPress
    let after: String

    init(_ before: String, _ key: KeyPress, _ after: String) {
      (self.before, self.key, self.after) = (before, key, after)
    }
  }

  static let steps: [Step] = [
    Step("ab|", .character("c"), "abc|"), Step("a|b", .character("日"), "a日|b"),
    Step("e|x", .character("\u{301}"), "é|x"),
    Step("a|b", .left, "|ab"), Step("|ab", .left, "|ab"), Step("a|b", .right, "ab|"), Step("ab|", .right, "ab|"),
    Step("a👨‍👩‍👧|b", .left, "a|👨‍👩‍👧b"), Step("ae\u{301}|b", .left, "a|e\u{301}b"),
    Step("ab|c", .home, "|abc"), Step("a|bc", .end, "abc|"), Step("ab|c", .control("a"), "|abc"),
    Step("a|bc", .control("e"), "abc|"), Step("ab|c", .control("u"), "|c"), Step("ab|c", .control("k"), "ab|"),
    Step("one two|!", .control("w"), "one |!"), Step("one two  |", .control("w"), "one |"),
    Step("one|", .control("w"), "|"),
    Step("  |a", .control("w"), "|a"), Step("ab|c", .backspace, "a|c"), Step("|abc", .backspace, "|abc"),
    Step("ae\u{301}|", .backspace, "a|"), Step("🇩🇪|", .backspace, "|"), Step("a|bc", .delete, "a|c"),
    Step("abc|", .delete, "abc|"),
  ]

  @Test(arguments: steps) func key_editsText(_ step: Step) {
    var field = field(step.before)
    let response = field.handle(step.key)
    let result = marked(field)
    #expect(result == step.after)
    #expect(response == (step.before.filter { $0 != "|" } == field.text ? .handled : .changed))
  }

  static let noteSteps: [Step] = [
    Step("a|b", .enter, "a\n|b"), Step("a\nb|c\nd", .home, "a\n|bc\nd"), Step("a\nb|c\nd", .end, "a\nbc|\nd"),
    Step("a\nb|c\nd", .control("u"), "a\n|c\nd"), Step("a\nb|c\nd", .control("k"), "a\nb|\nd"),
    Step("a\n|b", .backspace, "a|b"), Step("a|\nb", .delete, "a|b"),
  ]

  @Test(arguments: noteSteps) func key_inSeveralLines_concernsLine(_ step: Step) {
    var field = field(step.before, isMultiline: true)
    _ = field.handle(step.key)
    let result = marked(field)
    #expect(result == step.after)
  }

  @Test(arguments: [KeyPress.enter, .tab, .escape, .up, .down, .control("l")])
  func key_ofForm_isIgnored(_ key: KeyPress) {
    var field = field("a|b")
    let response = field.handle(key)
    let result = marked(field)
    #expect(response == .ignored)
    #expect(result == "a|b")
  }

  @Test(arguments: [("a\nb", "a b"), ("a\r\nb\tc", "a b c"), ("\u{1B}[1ma\u{0}", "[1ma"), ("\u{7F}", "")])
  func paste_intoOneLine_isNormalized(_ text: String, _ expected: String) {
    var field = field("|")
    _ = field.insert(text)
    #expect(field.text == expected)
  }

  @Test func paste_intoSeveralLines_keepsLinesAndTabs() {
    var field = field("|", isMultiline: true)
    _ = field.insert("a\r\nb\rc\n\td\u{1B}")
    #expect(field.text == "a\nb\nc\n\td")
  }

  @Test func input_beyondLimit_isRefused() {
    var field = field("|", limit: 4)
    let responses = ["ab", "日", "c", "d", "e"].map { field.insert($0) }
    #expect(responses == [.changed, .refused, .changed, .changed, .refused])
    #expect(field.text == "abcd")
  }

  /// A text as a plain array, which is segmented again after each edit.
  private struct Model {
    var characters: [Character] = []
    var cursor = 0

    mutating func replace(_ range: Range<Int>, _ text: String) {
      let head = String(characters[..<range.lowerBound]) + text
      let whole = head + String(characters[range.upperBound...])
      characters = Array(whole)
      var size = 0
      cursor = 0
      while size < head.utf8.count {
        size += characters[cursor].utf8.count
        cursor += 1
      }
    }

    mutating func apply(_ key: KeyPress) {
      switch key {
      case .left: cursor = max(0, cursor - 1)
      case .right: cursor = min(characters.count, cursor + 1)
      case .home: cursor = 0
      case .end: cursor = characters.count
      case .backspace where cursor > 0: replace(cursor - 1..<cursor, "")
      case .delete where cursor < characters.count: replace(cursor..<cursor + 1, "")
      case .character(let character): replace(cursor..<cursor, String(character))
      default: break
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64]) func randomEdits_matchModel(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let keys: [KeyPress] =
      [.left, .left, .right, .home, .end, .backspace, .delete]
      + ["a", "e", " ", "日", "\u{301}", "👩", "\u{200D}", "🇩", "🇪", "ك", "한", "\u{1112}", "\u{202E}"].map(
        KeyPress.character)
    var (field, model) = (TextField(limit: 10_000), Model())
    for step in 0..<400 {
      guard let key = keys.randomElement(using: &generator) else { return }
      _ = field.handle(key)
      model.apply(key)
      let isSame = field.cells == model.characters.map(TextCell.init) && field.cursor == model.cursor
      #expect(isSame, "step \(step): \(key)")
      guard isSame, isDrawnWithin(4 + step % 40, field) else { return }
    }
  }

  private func isDrawnWithin(_ width: Int, _ field: TextField) -> Bool {
    let visible = field.visibleText(width: width)
    // No character is wider than the escape of a control character.
    let isWithin = width < 12 || visible.text.displayWidth <= width
    #expect(isWithin, "\(visible.text) in \(width)")
    #expect((0..<width).contains(visible.cursor))
    return isWithin
  }

  @Test(arguments: [
    ("|", "", 0), ("abc|", "abc", 3), ("|0123456789a", "012345678…", 0), ("0123456|789", "0123456789", 7),
    ("01234567|89", "…56789", 4), ("0123456789|", "…56789", 6), ("日本語|", "日本語", 6), ("日本語の文章です|", "…です", 5),
    ("e\u{301}e\u{301}|", "e\u{301}e\u{301}", 2), ("a\u{1B}|", "a\\u{1B}", 7),
  ])
  func visibleText_containsCursor(_ text: String, _ shown: String, _ cursor: Int) {
    let visible = field(text).visibleText(width: 10)
    #expect(visible.text == shown)
    #expect(visible.cursor == cursor)
  }
}
