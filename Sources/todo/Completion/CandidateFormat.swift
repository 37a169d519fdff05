/// The format in which the completion script of a shell reads candidates, one per line.
enum CandidateFormat: Equatable, Sendable {
  /// The part of each value that replaces the text at the cursor, quoted as that text. If bash only lists several
  /// candidates, their values and descriptions.
  case bash(isListing: Bool, ShellLine)
  /// The value, with its colons and backslashes escaped, a colon and the description.
  case zsh
  /// The value, a tab and the description.
  case fish

  /// Returns the lines of the candidates, each with a line feed.
  func text(_ candidates: [CompletionCandidate]) -> String {
    candidates.map { line($0, isOnly: candidates.count == 1) + "\n" }.joined()
  }

  private func line(_ candidate: CompletionCandidate, isOnly: Bool) -> String {
    let hasDescription = !candidate.description.isEmpty
    switch self {
    case .bash(isListing: true, _) where !isOnly:
      return hasDescription ? "\(candidate.value)  (\(candidate.description))" : candidate.value
    case .bash(_, let line): return Self.quoted(candidate.value.dropFirst(line.keptCount), line.quote)
    case .zsh:
      let value = candidate.value.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
      return hasDescription ? "\(value):\(candidate.description)" : value
    case .fish: return hasDescription ? "\(candidate.value)\t\(candidate.description)" : candidate.value
    }
  }

  private static func quoted(_ text: Substring, _ quote: Character?) -> String {
    switch quote {
    case "'": String(text).replacing("'", with: #"'\''"#)
    case "\"": escaped(text) { #"\"$`"#.contains($0) }
    default: escaped(text) { $0.isASCII && !$0.isLetter && !$0.isNumber && !"-_.,/+%@".contains($0) }
    }
  }

  private static func escaped(_ text: Substring, where isSpecial: (Character) -> Bool) -> String {
    text.map { isSpecial($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
