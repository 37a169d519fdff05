import ArgumentParser

/// A text that a user typed as an argument or as the value of an option.
///
/// ArgumentParser takes an argument that begins with a dash for options. `marking(_:)` marks the ones that are texts with
/// the character NUL, which no argument of a process contains.
struct UserText: ExpressibleByArgument, Equatable, Sendable {
  let text: String
  /// Whether the text is to be taken as it is, because it follows `--` or begins with a dash.
  var isLiteral = false

  init(_ text: String) { self.text = text }

  init(argument: String) {
    isLiteral = argument.hasPrefix(Self.mark)
    text = isLiteral ? String(argument.dropFirst()) : argument
  }

  /// Marks the arguments after `--`, those that contain a blank after a dash, such as `- pay the rent`, and those that look
  /// like a coordinate, such as `-33.8,151.2`.
  static func marking(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments.enumerated().map { index, argument in
      let rest = argument.dropFirst()
      let isText = rest.contains(where: \.isWhitespace) || rest.first?.isNumber == true && rest.contains(",")
      return index > end || (argument.hasPrefix("-") && rest.first != "-" && isText) ? mark + argument : argument
    }
  }

  /// Removes the marks from a message.
  static func removingMarks(_ message: String) -> String { message.filter { $0 != "\u{0}" } }

  private static let mark = "\u{0}"
}
