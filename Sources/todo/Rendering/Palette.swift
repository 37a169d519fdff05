/// The values of `--color`.
enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never
}

/// The styles of the output.
struct Palette: Equatable, Sendable {
  let isColored: Bool

  init(isColored: Bool) {
    self.isColored = isColored
  }

  /// Creates the palette for a value of `--color`.
  ///
  /// `auto` enables colors if the output is a terminal that supports them and NO_COLOR (no-color.org) is unset.
  init(_ choice: ColorChoice, isTerminal: Bool, environment: (String) -> String?) {
    switch choice {
    case .always: isColored = true
    case .never: isColored = false
    case .auto: isColored = isTerminal && environment("NO_COLOR") == nil && environment("TERM") != "dumb"
    }
  }

  func heading(_ text: String) -> String { styled(text, "1") }
  func id(_ text: String) -> String { styled(text, "33") }
  func overdue(_ text: String) -> String { styled(text, "31") }
  func highlighted(_ text: String) -> String { styled(text, "7") }
  func faint(_ text: String) -> String { styled(text, "2") }

  /// Wraps a text in the ECMA-48 sequence "select graphic rendition".
  private func styled(_ text: String, _ parameter: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(parameter)m\(text)\u{1B}[0m" : text
  }
}
