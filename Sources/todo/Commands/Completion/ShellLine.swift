/// The text of a command line before the cursor, split into words by the quoting rules of bash.
///
/// The line is read scalar by scalar, as a shell reads it. A mark after a quote makes one `Character` of both, but remains a
/// quote and a mark for the shell.
struct ShellLine: Equatable, Sendable {
  /// A quote that is open at the cursor.
  enum Quote: Unicode.Scalar, Sendable {
    case single = "'"
    case double = "\""
  }

  /// The complete words, without quotes.
  private(set) var words: [String] = []
  /// The part of the current word before the cursor, without quotes. Empty after white space.
  private(set) var current = ""
  /// The quote that is open at the cursor.
  private(set) var quote: Quote?
  /// The part of `current` that the shell retains when it inserts a candidate: up to an open quote, or up to the last
  /// character that breaks words.
  private(set) var kept = ""
  /// Whether the shell replaces a part of the current word, as in `$HOME`, or reads it by other rules, as in `$'a'`. Its text
  /// and its quotes are unknown then.
  private(set) var isExpanded = false

  /// - Parameter breaks: the characters of `$COMP_WORDBREAKS`, which break words for the line editor of the shell.
  init(_ text: String, breaks: Set<Unicode.Scalar>) {
    var isEscaped = false
    var isInWord = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        // In double quotes, a backslash quotes few characters and is otherwise a character itself.
        if quote == .double, !#"\"$`"#.unicodeScalars.contains(scalar) { current += "\\" }
        current.unicodeScalars.append(scalar)
        isEscaped = false
      } else if scalar == "\\", quote != .single {
        (isEscaped, isInWord) = (true, true)
      } else if scalar == quote?.rawValue {
        quote = nil
      } else if quote == nil, let opened = Quote(rawValue: scalar) {
        (quote, isInWord, kept) = (opened, true, current)
      } else if quote == nil, " \t\n".unicodeScalars.contains(scalar) {
        if isInWord { words.append(current) }
        (current, isInWord, kept, isExpanded) = ("", false, "", false)
      } else {
        if quote != .single, "$`".unicodeScalars.contains(scalar) { isExpanded = true }
        current.unicodeScalars.append(scalar)
        isInWord = true
        if quote == nil, breaks.contains(scalar) { kept = current }
      }
    }
  }
}

extension ShellLine {
  /// Returns the quoted text that the shell inserts in place of the current word's rest to make the word a value. Returns `nil`
  /// if the word cannot become the value.
  ///
  /// Every byte outside quotes is a letter, a digit or one of `-_.,/+%@`, so the text means itself in every locale. In double
  /// quotes, the text closes them before it would be expanded. Readline then closes a quote that is open at the end, unless the
  /// last character is that quote.
  func completion(to value: String) -> String? {
    guard !isExpanded, let rest = rest(of: value) else { return nil }
    return switch quote {
    case .single: Self.singleQuoted(rest) + (rest.last == "'" ? "'" : "")
    case .double: Self.splitting(rest, at: Self.isExpandedInDoubleQuotes) { "\"'\(Self.singleQuoted($0))'\"\"" }
    case nil: Self.splitting(rest, at: { !Self.isPlain($0) }) { "'\(Self.singleQuoted($0))'" }
    }
  }

  /// Returns the scalars of a value after those that the shell retains, ignoring case, or `nil` if it begins with others.
  private func rest(of value: String) -> Substring.UnicodeScalarView? {
    var missing = kept.unicodeScalars.map(\.properties.lowercaseMapping)[...]
    var rest = value.unicodeScalars[...]
    while let expected = missing.popFirst() {
      guard rest.popFirst()?.properties.lowercaseMapping.utf8.elementsEqual(expected.utf8) == true else { return nil }
    }
    return rest
  }

  /// Returns the scalars before the first special one, followed by the others in quotes.
  private static func splitting(
    _ text: Substring.UnicodeScalarView, at isSpecial: (Unicode.Scalar) -> Bool,
    quoted: (Substring.UnicodeScalarView) -> String
  ) -> String {
    guard let start = text.firstIndex(where: isSpecial) else { return String(text) }
    return String(text[..<start]) + quoted(text[start...])
  }

  /// Returns the text for single quotes, without the quotes around it.
  private static func singleQuoted(_ text: Substring.UnicodeScalarView) -> String {
    var quoted = ""
    for scalar in text {
      if scalar == "'" { quoted += #"'\'"# }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", ",", "/", "+", "%", "@": true
    default: false
    }
  }

  /// Whether a scalar ends double quotes, or means something else than itself in them. `!` is the history expansion.
  private static func isExpandedInDoubleQuotes(_ scalar: Unicode.Scalar) -> Bool {
    #""\$`!"#.unicodeScalars.contains(scalar)
  }
}
