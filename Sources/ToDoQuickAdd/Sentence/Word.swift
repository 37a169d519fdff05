/// A word of a sentence, as it was typed.
struct Word: Sendable {
  /// The word with its punctuation.
  let text: String
  /// The punctuation before the word.
  let leading: String
  /// The word without punctuation at its ends.
  let core: String
  /// The punctuation after the word.
  let trailing: String
  /// The core in lower case.
  let key: String
  /// Whether the word names a list that the user has, or is among the words that do.
  var isList = false

  init(_ text: Substring) {
    self.text = String(text)
    if text.utf8.allSatisfy(\.isLetterOrDigit) {
      (core, leading, trailing) = (self.text, "", "")
    } else {
      var core = text.drop { "([{\"'“„‘’«¿¡–—-*•~".contains($0) }
      leading = String(text[..<core.startIndex])
      core = Self.withoutArticle(core)
      while let last = core.last, ".,;:!?)]}\"'”’“»…".contains(last) { core.removeLast() }
      self.core = String(core)
      trailing = String(text[core.endIndex...])
    }
    let lowercased = core.lowercased()
    key = lowercased.utf8.contains(0xE2) ? lowercased.replacing("’", with: "'") : lowercased
  }

  /// Returns a date without the Italian article that is one word with it: `l'8`, `dall'1/12`.
  private static func withoutArticle(_ core: Substring) -> Substring {
    guard let mark = core.prefix(5).firstIndex(where: { $0 == "'" || $0 == "’" }),
      core[..<mark].last?.lowercased() == "l",
      core[core.index(after: mark)...].first?.isNumber == true
    else { return core }
    return core[core.index(after: mark)...]
  }

  /// Whether the word marks a tag, a priority or a list: `#home`, `+errand`, `!1`, `/work`.
  var isMark: Bool {
    if isList { return true }
    guard let first = text.first, text.count > 1 || first == "!" else { return false }
    if first == "+" { return text.dropFirst().first?.isNumber != true }
    return first == "#" || first == "!"
  }

  /// Whether all its letters are lower case.
  var isLowercase: Bool { core == key }
  var beginsWithDigit: Bool { core.utf8.first?.isLetter != true && core.first?.isNumber == true }
  var isPunctuation: Bool { core.isEmpty }
  /// Whether nothing but punctuation is before the core, unlike in `l'8`.
  var beginsText: Bool { text.hasPrefix(leading + core) }
  var beginsUppercase: Bool { core.first?.isUppercase == true }
  /// Whether the word has letters, none of which is lower case: `SAT`.
  var isAllUppercase: Bool {
    core.count > 1 && core.allSatisfy { !$0.isLowercase } && core.contains(where: \.isUppercase)
  }
  var isNumber: Bool { !core.isEmpty && core.allSatisfy { $0.isASCII && $0.isNumber } }

  /// Whether an upper case letter follows a lower case one: `iOS`.
  var isMixedCase: Bool {
    zip(core, core.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
  }
}

extension Substring {
  /// Removes the digits at the start, and returns their value if their number is allowed.
  mutating func takeNumber(digits: ClosedRange<Int>) -> Int? {
    let text = prefix { $0.isASCII && $0.isNumber }
    guard digits.contains(text.count), let value = Int(text) else { return nil }
    removeFirst(text.count)
    return value
  }
}

extension UInt8 {
  /// Whether the byte is a letter in ASCII.
  fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  fileprivate var isLetterOrDigit: Bool { isLetter || (0x30...0x39).contains(self) }
}
