/// The lowercase words of a text, consumed from first to last.
struct Words {
  private var remaining: ArraySlice<Substring>

  init(_ text: String) {
    remaining = text.lowercased().split(whereSeparator: \.isWhitespace)[...]
  }

  var isEmpty: Bool { remaining.isEmpty }

  /// Whether a word that is not consumed satisfies a condition.
  func contains(where condition: (Substring) -> Bool) -> Bool { remaining.contains(where: condition) }

  /// Consumes the next word if it equals `word`, and returns whether it did.
  mutating func take(_ word: String) -> Bool {
    take { $0 == word ? true : nil } ?? false
  }

  /// Consumes the next word if `read` returns a value for it.
  mutating func take<Value>(_ read: (Substring) -> Value?) -> Value? {
    guard let word = remaining.first, let value = read(word) else { return nil }
    remaining.removeFirst()
    return value
  }

  /// Consumes the next two words if `read` returns a value for them.
  mutating func takeTwo<Value>(_ read: (Substring, Substring) -> Value?) -> Value? {
    guard remaining.count >= 2,
      let value = read(remaining[remaining.startIndex], remaining[remaining.startIndex + 1])
    else { return nil }
    remaining.removeFirst(2)
    return value
  }
}

extension Substring {
  /// Consumes the leading digits, or returns `nil` if there are none or their value exceeds `Int`.
  mutating func takeNumber() -> Int? {
    let digits = prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits) else { return nil }
    removeFirst(digits.count)
    return number
  }

  /// Consumes exactly `count` digits.
  mutating func takeNumber(digits count: Int) -> Int? {
    let digits = prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits) else {
      return nil
    }
    removeFirst(count)
    return number
  }

  /// Consumes a prefix, and returns whether the text began with it.
  mutating func take(_ text: String) -> Bool {
    guard hasPrefix(text) else { return false }
    removeFirst(text.count)
    return true
  }
}
