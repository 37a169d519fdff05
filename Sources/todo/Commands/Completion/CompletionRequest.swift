/// A request of a completion script for the values that a command line accepts at the cursor.
///
/// The arguments are `---complete`, the shell, and then:
///
/// | shell | arguments |
/// | --- | --- |
/// | bash | `$COMP_TYPE`, `$COMP_WORDBREAKS` and the text of the command line before the cursor |
/// | zsh | the words before the current one, without quotes, and the part of the current word before the cursor |
/// | fish | as for zsh, but the last argument has the user's quotes |
struct CompletionRequest: Equatable, Sendable {
  let line: CompletionLine
  let format: CandidateFormat

  /// The first argument of a request. ArgumentParser accepts no argument with three dashes.
  static let marker = "---complete"

  /// Creates a request, or returns `nil` if the arguments of the program are not one.
  init?(_ arguments: [String]) {
    guard arguments.first == Self.marker, arguments.count > 3 else { return nil }
    let words = Array(arguments[2...])
    switch CompletionCommand.Shell(rawValue: arguments[1]) {
    case .bash? where words.count == 3:
      let shellLine = ShellLine(words[2], breaks: Set(words[1].unicodeScalars))
      line = CompletionLine(shellLine.words.dropFirst(), current: shellLine.current)
      // 63 is the code of "?": bash lists the candidates and inserts none.
      format = .bash(isListing: words[0] == "63", shellLine)
    case .zsh?:
      line = CompletionLine(words[1..<(words.count - 1)], current: words[words.count - 1])
      format = .zsh
    case .fish?:
      let current = ShellLine(words[words.count - 1], breaks: []).current
      line = CompletionLine(words[1..<(words.count - 1)], current: current)
      format = .fish
    default: return nil
    }
  }
}
