package import ToDoText

/// The colors that a terminal supports.
enum ColorDepth: Equatable, Sendable {
  /// No color: the user does not want any. Bold, faint and reverse video remain.
  case none
  /// The 16 colors of the terminal's theme.
  case sixteen
  /// 256 colors.
  case indexed
  /// 24 bits for each color.
  case trueColor

  /// - Parameter environment: returns the value of an environment variable.
  init(_ palette: Palette, environment: (String) -> String?) {
    let colorTerminal = environment("COLORTERM")?.lowercased()
    if !palette.isColored {
      self = .none
    } else if colorTerminal == "truecolor" || colorTerminal == "24bit" {
      self = .trueColor
    } else {
      self = environment("TERM")?.contains("256color") == true ? .indexed : .sixteen
    }
  }
}

/// The appearance of text styles on the screen.
///
/// Most colors come from the terminal's theme, and fit its background. What is selected is in reverse video with at most 16
/// colors, and otherwise has a background and a foreground that is readable on it.
package struct ScreenTheme: Equatable, Sendable {
  let depth: ColorDepth
  /// Whether the background of the terminal is light.
  let isLight: Bool

  init(depth: ColorDepth, isLight: Bool = false) {
    (self.depth, self.isLight) = (depth, isLight)
  }

  /// Creates the theme for a terminal.
  ///
  /// The background is dark unless COLORFGBG specifies a light one.
  ///
  /// - Parameter environment: returns the value of an environment variable.
  package init(_ palette: Palette, environment: (String) -> String?) {
    self.init(
      depth: ColorDepth(palette, environment: environment), isLight: Self.isLight(environment("COLORFGBG") ?? ""))
  }

  /// Returns whether a value of COLORFGBG, such as `0;15` or `0;default;15`, specifies a light background.
  private static func isLight(_ value: String) -> Bool {
    guard let last = value.split(separator: ";").last, let background = Int(last) else { return false }
    return background == 7 || (9...15).contains(background)
  }

  /// Returns the appearance of a style.
  func terminalStyle(for style: TextStyle) -> TerminalStyle {
    switch style {
    case .plain: .plain
    case .heading: TerminalStyle(isBold: true)
    case .id: TerminalStyle(foreground: color(.yellow))
    case .overdue: TerminalStyle(foreground: color(.red))
    case .highlighted: selectedStyle
    case .faint: TerminalStyle(isFaint: true)
    case .red: TerminalStyle(foreground: color(.red))
    case .orange: TerminalStyle(foreground: color(.brightRed))
    case .yellow: TerminalStyle(foreground: color(.yellow))
    case .green: TerminalStyle(foreground: color(.green))
    case .teal: TerminalStyle(foreground: color(.cyan))
    case .blue: TerminalStyle(foreground: color(.blue))
    case .purple: TerminalStyle(foreground: color(.magenta))
    case .pink: TerminalStyle(foreground: color(.brightMagenta))
    case .gray: TerminalStyle(foreground: color(.brightBlack))
    }
  }

  private func color(_ color: TerminalColor) -> TerminalStyle.Color? { depth == .none ? nil : .theme(color) }

  private var selectedStyle: TerminalStyle {
    let colors = isLight ? SelectionColors.light : SelectionColors.dark
    return switch depth {
    case .none, .sixteen: TerminalStyle(isReverse: true)
    case .indexed:
      TerminalStyle(foreground: .indexed(colors.text.index), background: .indexed(colors.background.index))
    case .trueColor: TerminalStyle(foreground: .rgb(colors.text), background: .rgb(colors.background))
    }
  }
}

/// The colors of selected cells. The foreground is explicit, so that it is readable on any terminal.
struct SelectionColors: Sendable {
  let background: RGBColor
  let text: RGBColor

  static let dark = SelectionColors(background: RGBColor(0x2C3E5A), text: RGBColor(0xF4F6FA))
  static let light = SelectionColors(background: RGBColor(0xCFE0F7), text: RGBColor(0x10141A))
}
