import ToDoRules

/// A title's or a reference's words, in lower case and without accents.
struct TitleWords: Equatable {
  /// The words, in their order.
  let words: [Substring]
  /// The whole text.
  private let text: String

  init(_ text: String) {
    let folded = Self.folded(text)
    self.text = folded
    words = Self.split(folded)
  }

  /// Returns whether each word in a reference is a word of this title, in any order.
  func hasWords(of reference: TitleWords) -> Bool { reference.words.allSatisfy(words.contains) }

  /// Returns whether each word in a reference is a part of this title.
  func hasParts(of reference: TitleWords) -> Bool { reference.words.allSatisfy { text.contains($0) } }

  /// Returns the longest word as it is written in a text.
  static func longest(in text: String) -> String {
    split(text).max { $0.utf8.count < $1.utf8.count }.map(String.init) ?? ""
  }

  private static func split(_ text: String) -> [Substring] {
    text.split { !$0.isLetter && !$0.isNumber }
  }

  private static func folded(_ text: String) -> String {
    let lower = text.lowercased()
    if lower.utf8.allSatisfy({ $0 < 0x80 }) { return lower }
    return String(decoding: FoldedText.bytes(of: text), as: UTF8.self)
  }
}
