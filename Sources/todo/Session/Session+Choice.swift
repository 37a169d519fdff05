import ProgramSupport

extension Session {
  /// Prints the candidates of an ambiguous reference, and returns the number that the user enters, without blanks. The
  /// session can prompt.
  ///
  /// - Throws: `ExitStatus.failure` if the user chooses none.
  func promptForNumber(_ failure: Failure) throws -> String {
    let lines = ["\(failure.message):"] + failure.details.map { "  " + $0 } + ["Which number? (Enter for none) "]
    context.terminal.error(lines.joined(separator: "\n"))
    let answer = context.terminal.readLine()?.filter { !$0.isWhitespace && $0 != "#" } ?? ""
    guard !answer.isEmpty else {
      printNotice("Nothing was chosen.")
      throw ExitStatus.failure
    }
    return answer
  }
}
