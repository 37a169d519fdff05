/// Finds the place of a sentence, which begins with `@`.
struct PlaceReader {
  let grammar: Grammar

  private var words: [Word] { grammar.words }

  /// Returns the name of the place, and its words with the `@`.
  ///
  /// The first word of the sentence is not a place. A place ends before a date, a tag, another `@`, punctuation, or `with`.
  func place() -> (name: String, range: Range<Int>)? {
    let starts = Set(grammar.pieces().map(\.range.lowerBound))
    for start in words.indices.dropFirst() where words[start].text.hasPrefix("@") && !starts.contains(start) {
      let isAlone = words[start].text == "@"
      let first = isAlone ? start + 1 : start
      guard first < words.count, !isMention(start, starts) else { continue }
      let end = endOfQuotation(first) ?? end(first, starts)
      var name = words[first..<end].map(\.text).joined(separator: " ")
      if !isAlone { name.removeFirst() }
      while let last = name.last, ",:;.!?".contains(last) { name.removeLast() }
      if let first = name.first, Self.quotes.contains(first) { name = Self.unquoted(name) }
      if !name.isEmpty { return (name, hasPreposition(start) ? start - 1..<end : start..<end) }
    }
    return nil
  }

  /// Whether the word before a place belongs to it: `at @Rossi`.
  private func hasPreposition(_ start: Int) -> Bool {
    guard start > 1, words[start - 1].trailing.isEmpty else { return false }
    switch words[start - 1].text {
    case "to": return ["go", "drive", "walk", "head", "fly", "ride", "bike", "run"].contains(words[start - 2].key)
    case "at", "from", "bei", "im", "von", "à", "chez", "en", "da", "al": return true
    default: return false
    }
  }

  private static func unquoted(_ name: String) -> String {
    let text = name.filter { !quotes.contains($0) }
    return text.split(separator: " ").joined(separator: " ")
  }

  private static let quotes = "\"“”„«»"

  /// Returns the position after a name in quotes: `@"Trattoria Roma"`.
  private func endOfQuotation(_ first: Int) -> Int? {
    guard let quote = words[first].text.first(where: { $0 != "@" }), Self.quotes.contains(quote) else { return nil }
    return words[first...].firstIndex { $0.trailing.contains(where: Self.quotes.contains) }.map { $0 + 1 }
  }

  /// Returns the position after the words of the place that begins at `first`.
  private func end(_ first: Int, _ starts: Set<Int>) -> Int {
    var position = first
    repeat {
      position += 1
      guard position < words.count, !words[position - 1].trailing.contains(where: { ",:;".contains($0) }) else { break }
      let word = words[position]
      if word.isMark || word.text.hasPrefix("@") || (word.isPunctuation && word.text != "&") { break }
      if Self.wordsAfterPlace.contains(word.key) { break }
      if starts.contains(position), !isDateOfStreet(position) { break }
    } while true
    return position
  }

  /// Words that go on with the sentence, as in `Milk @Rossi after work`.
  private static let wordsAfterPlace: Set<String> = [
    "with", "w/", "mit", "avec", "con", "after", "before", "for", "during", "while", "when", "because", "nach", "vor",
    "für",
    "wegen", "après", "avant", "pour", "después", "antes", "para", "dopo", "prima", "per",
  ]

  /// Whether a date belongs to the name of a street: `Platz des 18. März`, `Rue du 8 Mai`.
  private func isDateOfStreet(_ position: Int) -> Bool {
    let articles: Set<String> = ["des", "du", "del", "de", "of", "der", "dem"]
    let word = words[position]
    guard word.beginsWithDigit else { return articles.contains(word.key) }
    let previous = words[position - 1].key.replacing("@", with: "")
    return articles.contains(previous) || grammar.reader.vocabulary.isWord(previous, .street)
  }

  /// Whether `@bob` is a person: `Ask @bob about the invoice`, `Email @bob the slides`, `Meet with @bob`.
  private func isMention(_ start: Int, _ starts: Set<Int>) -> Bool {
    let word = words[start]
    let reader = grammar.reader
    // `Meeting with @bob tomorrow`
    if word.text.count > 1, ["with", "w/", "mit", "avec", "con", "to"].contains(words[start - 1].key) {
      return !hasPreposition(start)
    }
    guard word.trailing.isEmpty, word.text.dropFirst().first?.isLowercase == true, !starts.contains(start + 1) else {
      return false
    }
    if reader.isWord(start - 1, .dangling), reader.skip(start - 1, .beforeTime) == nil { return true }
    return reader.isWord(start + 1, .topic) || reader.skip(start + 1, .article) != nil
  }
}
