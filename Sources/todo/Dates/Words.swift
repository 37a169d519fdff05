/// The words of a text in lower case, taken from the first to the last.
struct Words {
  private var remaining: ArraySlice<Substring>

  init(_ text: String) {
    remaining = text.lowercased().split(whereSeparator: \.isWhitespace)[...]
  }

  var isEmpty: Bool { remaining.isEmpty }
  var next: Substring? { remaining.first }

  /// Takes the next word if it is this one.
  mutating func take(_ word: String) -> Bool {
    take { $0 == word ? true : nil } ?? false
  }

  /// Takes the next word if `read` makes something of it.
  mutating func take<Value>(_ read: (Substring) -> Value?) -> Value? {
    guard let word = remaining.first, let value = read(word) else { return nil }
    remaining.removeFirst()
    return value
  }

  /// Takes the next two words if `read` makes something of them.
  mutating func takeTwo<Value>(_ read: (Substring, Substring) -> Value?) -> Value? {
    guard remaining.count >= 2,
      let value = read(remaining[remaining.startIndex], remaining[remaining.startIndex + 1])
    else { return nil }
    remaining.removeFirst(2)
    return value
  }
}

extension Substring {
  /// Takes the digits that the text begins with, `nil` when there are none or too many for an `Int`.
  mutating func takeNumber() -> Int? {
    let digits = prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits) else { return nil }
    removeFirst(digits.count)
    return number
  }

  /// Takes exactly so many digits.
  mutating func takeNumber(digits count: Int) -> Int? {
    let digits = prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits) else {
      return nil
    }
    removeFirst(count)
    return number
  }

  mutating func take(_ text: String) -> Bool {
    guard hasPrefix(text) else { return false }
    removeFirst(text.count)
    return true
  }
}
