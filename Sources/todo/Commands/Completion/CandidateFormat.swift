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
    lines(candidates).map { $0 + "\n" }.joined()
  }

  private func lines(_ candidates: [CompletionCandidate]) -> [String] {
    switch self {
    case .bash(let isListing, let line):
      let listed = candidates.map(Self.listed)
      // Bash lists equal lines once, and can insert the only line of a listing.
      if isListing, Set(listed).count > 1 { return listed }
      return candidates.compactMap { line.completion(to: $0.value) }
    case .zsh: return candidates.map { Self.described(Self.escapedForZsh($0.value), $0, separator: ":") }
    case .fish: return candidates.map { Self.described($0.value, $0, separator: "\t") }
    }
  }

  private static func listed(_ candidate: CompletionCandidate) -> String {
    candidate.description.isEmpty ? candidate.value : "\(candidate.value)  (\(candidate.description))"
  }

  private static func described(_ value: String, _ candidate: CompletionCandidate, separator: String) -> String {
    candidate.description.isEmpty ? value : value + separator + candidate.description
  }

  private static func escapedForZsh(_ value: String) -> String {
    var escaped = ""
    for scalar in value.unicodeScalars {
      if scalar == "\\" || scalar == ":" { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }
}
