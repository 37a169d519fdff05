extension SimulatedTerminal {
  /// Interprets a sequence, of which the escape character has been removed.
  package mutating func interpretSequence(_ rest: inout Substring.UnicodeScalarView) {
    guard let introducer = rest.popFirst() else { return skipped.append("an unfinished sequence") }
    switch introducer {
    case "[": interpretControlSequence(&rest)
    case "]": skipped.append("]" + Self.string(&rest))
    default: skipped.append(String(introducer))
    }
  }

  /// Returns the content of a string sequence such as OSC 52, which BEL or `ESC \` terminates.
  private static func string(_ rest: inout Substring.UnicodeScalarView) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\u{7}" {
      if scalar == "\u{1B}", rest.first == "\\" {
        rest.removeFirst()
        break
      }
      text.append(scalar)
    }
    return String(text)
  }

  private mutating func interpretControlSequence(_ rest: inout Substring.UnicodeScalarView) {
    var parameters = ""
    while let scalar = rest.popFirst() {
      if (0x40...0x7E).contains(scalar.value) { return interpret(parameters, final: scalar) }
      parameters.unicodeScalars.append(scalar)
    }
    skipped.append("[" + parameters)
  }

  private mutating func interpret(_ parameters: String, final: Unicode.Scalar) {
    let isPrivate = parameters.hasPrefix("?")
    let texts = parameters.dropFirst(isPrivate ? 1 : 0).split(separator: ";", omittingEmptySubsequences: false)
    let numbers = texts.map { $0.isEmpty ? 0 : Int($0) ?? -1 }
    guard !numbers.contains(-1), apply(numbers, final, isPrivate) else {
      return skipped.append("[" + parameters + String(final))
    }
  }

  /// - Returns: whether the sequence is known.
  private mutating func apply(_ numbers: [Int], _ final: Unicode.Scalar, _ isPrivate: Bool) -> Bool {
    switch (final, isPrivate) {
    case ("h", true): modes.formUnion(numbers)
    case ("l", true): modes.subtract(numbers)
    case ("H", false):
      guard numbers.count <= 2 else { return false }
      moveCursor(row: max(1, numbers[0]), column: max(1, numbers.count == 2 ? numbers[1] : 1))
    case ("K", false):
      guard numbers == [0] else { return false }
      eraseRow()
    case ("J", false):
      guard numbers == [2] else { return false }
      eraseWindow()
    case ("m", false): return style.apply(numbers)
    default: return false
    }
    return true
  }
}
