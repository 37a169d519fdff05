/// The values of `--color`.
package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never
}

/// The appearance of text styles in output, as escape sequences or as nothing.
package struct Palette: Equatable, Sendable {
  /// Whether texts have styles.
  package let isColored: Bool

  /// Creates the palette with or without styles.
  package init(isColored: Bool) {
    self.isColored = isColored
  }

  /// Creates the palette for a value of `--color`.
  ///
  /// `auto` enables colors if the output is a terminal that supports them and NO_COLOR (no-color.org) is unset.
  package init(_ choice: ColorChoice, isTerminal: Bool, environment: (String) -> String?) {
    switch choice {
    case .always: isColored = true
    case .never: isColored = false
    case .auto: isColored = isTerminal && environment("NO_COLOR") == nil && environment("TERM") != "dumb"
    }
  }

  /// Returns a line with the escape sequences of its styles.
  package func encode(_ line: StyledText) -> String {
    guard isColored else { return line.text }
    var output: [UInt8] = []
    encode(line, into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns lines with the escape sequences of their styles, each ended by a line feed.
  package func encode(_ lines: [StyledText]) -> String {
    var output: [UInt8] = []
    for line in lines {
      encode(line, into: &output)
      output.append(UInt8(ascii: "\n"))
    }
    return String(decoding: output, as: UTF8.self)
  }

  private func encode(_ line: StyledText, into output: inout [UInt8]) {
    guard isColored else { return output += line.text.utf8 }
    line.forEachUTF8Part { text, style in
      guard style != .plain else { return output += text }
      Self.start(of: style).withUTF8Buffer { output += $0 }
      output += text
      Self.reset.withUTF8Buffer { output += $0 }
    }
  }

  private static let reset: StaticString = "\u{1B}[0m"

  /// Returns the ECMA-48 sequence "select graphic rendition" of a style.
  private static func start(of style: TextStyle) -> StaticString {
    switch style {
    case .plain: ""
    case .heading: "\u{1B}[1m"
    case .id: "\u{1B}[33m"
    case .overdue: "\u{1B}[31m"
    case .highlighted: "\u{1B}[7m"
    case .faint: "\u{1B}[2m"
    case .red: "\u{1B}[31m"
    case .orange: "\u{1B}[91m"
    case .yellow: "\u{1B}[33m"
    case .green: "\u{1B}[32m"
    case .teal: "\u{1B}[36m"
    case .blue: "\u{1B}[34m"
    case .purple: "\u{1B}[35m"
    case .pink: "\u{1B}[95m"
    case .gray: "\u{1B}[90m"
    }
  }
}
