import ToDoModel
import ToDoSupport

extension Session {
  /// Prints the candidates of an ambiguous reference, and returns the one whose number the user enters, as
  /// `choose(_:from:allowingSeveral:)` does.
  func choose<Value>(_ failure: Failure, from candidates: [(number: String, value: Value)]) throws -> Value {
    try choose(failure, from: candidates, allowingSeveral: false)[0]
  }

  /// Prints the candidates of an ambiguous reference, and returns those whose numbers the user enters, at least one. Asks
  /// again if the answer is something else. The session can prompt.
  ///
  /// - Parameter allowsSeveral: whether the user may enter several numbers, separated by blanks or commas, or `all`.
  /// - Throws: `ExitStatus.failure` if the user chooses none; `Failure` with the status `usage` after three wrong answers.
  func choose<Value>(
    _ failure: Failure, from candidates: [(number: String, value: Value)], allowingSeveral allowsSeveral: Bool
  ) throws -> [Value] {
    context.terminal.error((["\(failure.message):"] + failure.details.map { "  " + $0 }).map { $0 + "\n" }.joined())
    var wrong = Failure.usage("nothing was chosen")
    for _ in 0..<3 {
      context.terminal.error(
        allowsSeveral ? "Which numbers? ('1 2', 'all', or Enter for none) " : "Which number? (Enter for none) ")
      let answer = context.terminal.readLine() ?? ""
      let words = answer.split { $0.isWhitespace || allowsSeveral && $0 == "," }.map { $0.drop { $0 == "#" } }
      guard !words.isEmpty else {
        printNotice("Nothing was chosen.")
        throw ExitStatus.failure
      }
      if allowsSeveral, words.count == 1, words[0].lowercased() == "all" { return candidates.map(\.value) }
      let unknown = words.first { word in !candidates.contains { $0.number == word } }
      if unknown == nil, words.count == 1 || allowsSeveral {
        return candidates.filter { words.contains($0.number[...]) }.map(\.value)
      }
      wrong = .usage("'\((unknown.map(String.init) ?? answer).escapingControls())' is not one of the numbers")
      context.terminal.error(wrong.text + "\n")
    }
    throw wrong
  }
}
