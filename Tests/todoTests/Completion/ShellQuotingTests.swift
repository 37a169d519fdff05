import Testing
import ToDoTestSupport

@testable import todo

/// Tests that bash reads a completed value as exactly that value, in every quote and for every scalar.
@Suite(.unitTimeLimited) struct ShellQuotingTests {
  /// The lines before the cursor, with the word that precedes the value's rest.
  private static let lines = ["todo near ", "todo near '", "todo near \""].map { ShellLine($0, breaks: []) }

  /// Returns the word that readline leaves in the line: it closes an open quote, unless the line ends with that quote.
  private func word(_ completion: String, _ quote: ShellLine.Quote?) -> [UInt8] {
    let mark = quote.map { Array(String($0.rawValue).utf8) } ?? []
    let inserted = mark + Array(completion.utf8)
    return inserted.count > 1 && inserted.suffix(mark.count).elementsEqual(mark) ? inserted : inserted + mark
  }

  /// Returns the value of a word as a shell reads it byte by byte, or `nil` if the shell would interpret a part of it.
  private func value(_ word: [UInt8]) -> [UInt8]? {
    var (value, quote, index) = ([UInt8](), UInt8(0), 0)
    while index < word.count {
      let byte = word[index]
      switch (quote, byte) {
      case (UInt8(ascii: "'"), UInt8(ascii: "'")), (UInt8(ascii: "\""), UInt8(ascii: "\"")): quote = 0
      case (UInt8(ascii: "'"), _): value.append(byte)
      case (UInt8(ascii: "\""), _):
        if "\\$`!".utf8.contains(byte) { return nil }
        value.append(byte)
      case (_, UInt8(ascii: "'")), (_, UInt8(ascii: "\"")): quote = byte
      case (_, UInt8(ascii: "\\")):
        index += 1
        guard index < word.count else { return nil }
        value.append(word[index])
      default:
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,/+%@"
        guard plain.utf8.contains(byte) else { return nil }
        value.append(byte)
      }
      index += 1
    }
    return quote == 0 ? value : nil
  }

  private func expectExact(_ text: String) {
    for line in Self.lines {
      let completion = line.completion(to: text)
      let read = completion.map { value(word($0, line.quote)) }
      if read != Array(text.utf8) { Issue.record("\(Array(text.unicodeScalars)) became \(completion ?? "none")") }
    }
  }

  @Test func completion_ofEveryASCIIScalar_isExact() {
    for scalar in (1..<0x80).compactMap(Unicode.Scalar.init) { expectExact(String(scalar)) }
  }

  /// Many in one value, because a value costs more than its scalars.
  @Test func completion_ofEveryScalar_isExact() {
    for start in stride(from: UInt32(1), through: 0x10FFFF, by: 64) {
      let scalars = (start..<start + 64).compactMap(Unicode.Scalar.init)
      expectExact(String(String.UnicodeScalarView(scalars)))
    }
  }

  @Test func completion_ofSpecialCharactersWithMarks_isExact() {
    let marks = ["", "\u{600}", "\u{301}", "\u{301}\u{600}", "\u{200D}", "é"]
    let specials = #" '"\$`!;&|<>()[]{}*?~#^=:@%"#.unicodeScalars.map { String($0) }
    for before in marks {
      for special in specials {
        for after in marks {
          for other in specials {
            expectExact("Cafe" + before + special + after + other)
            expectExact(before + special + after + other + before + "x" + special)
          }
        }
      }
    }
  }

  @Test(arguments: ["todo near $'C", "todo near \"$C", "todo near `C", "todo near $\"C"])
  func completion_inWordThatShellExpands_isNone(_ line: String) {
    #expect(ShellLine(line, breaks: []).completion(to: #"$C\';x"#) == nil)
  }

  @Test func completion_afterKeptPart_isRestOfValue() {
    #expect(ShellLine("todo near cafe'", breaks: []).completion(to: "CAFE x") == " x")
    #expect(ShellLine("todo near cafe'", breaks: []).completion(to: "CAF\u{C9} x") == nil)
  }
}
