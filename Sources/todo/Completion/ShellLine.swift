/// The text of a command line before the cursor, split into words by the quoting rules of bash.
struct ShellLine: Equatable, Sendable {
  /// The complete words, without quotes.
  private(set) var words: [String] = []
  /// The part of the current word before the cursor, without quotes. Empty after white space.
  private(set) var current = ""
  /// The quote that is open at the cursor.
  private(set) var quote: Character?
  /// The number of characters of `current` that the shell retains when it inserts a candidate: the characters up to an
  /// open quote, or up to the last character that breaks words.
  private(set) var keptCount = 0

  /// - Parameter breaks: the characters of `$COMP_WORDBREAKS`, which break words for the line editor of the shell.
  init(_ text: String, breaks: Set<Unicode.Scalar>) {
    var isEscaped = false
    var isInWord = false
    for character in text {
      if isEscaped {
        // In double quotes, a backslash quotes few characters and is otherwise a character itself.
        if quote == "\"", !#"\"$`"#.contains(character) { current.append("\\") }
        current.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        (isEscaped, isInWord) = (true, true)
      } else if character == quote {
        quote = nil
      } else if quote != nil {
        current.append(character)
      } else if character == "'" || character == "\"" {
        (quote, isInWord, keptCount) = (character, true, current.count)
      } else if character.isWhitespace {
        if isInWord { words.append(current) }
        (current, isInWord, keptCount) = ("", false, 0)
      } else {
        current.append(character)
        isInWord = true
        if character.unicodeScalars.allSatisfy(breaks.contains) { keptCount = current.count }
      }
    }
  }
}
