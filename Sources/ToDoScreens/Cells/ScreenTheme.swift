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

/// The appearance of cell styles on a terminal.
///
/// The colors of a `Palette` are those of the terminal's theme, and fit its background. The theme determines the appearance of
/// selected cells (`CellStyle.isReverse`): reverse video with at most 16 colors, and otherwise a background with foregrounds
/// that are readable on it.
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
  func terminalStyle(for style: CellStyle) -> TerminalStyle {
    if style.isReverse { return selectedStyle(for: style) }
    var result = TerminalStyle(isBold: style.isBold, isFaint: style.isFaint)
    guard depth != .none else { return result }
    result.foreground = style.foreground.map { .theme($0) }
    result.background = style.background.map { .theme($0) }
    return result
  }

  private func selectedStyle(for style: CellStyle) -> TerminalStyle {
    let colors = isLight ? SelectionColors.light : SelectionColors.dark
    var result = TerminalStyle(isBold: style.isBold)
    switch depth {
    case .none, .sixteen:
      // Reversed, a color or faint text would be a background on which the text may be unreadable.
      result.isReverse = true
    case .indexed:
      result.foreground = .indexed(colors.foreground(of: style).index)
      result.background = .indexed(colors.background.index)
    case .trueColor:
      result.foreground = .rgb(colors.foreground(of: style))
      result.background = .rgb(colors.background)
    }
    return result
  }
}

/// The colors of selected cells. The foregrounds are explicit, so that they are readable on any terminal.
struct SelectionColors: Sendable {
  let background: RGBColor
  private let text: RGBColor
  private let faint: RGBColor
  private let hues: [TerminalColor: RGBColor]

  /// Returns the foreground for a style.
  func foreground(of style: CellStyle) -> RGBColor {
    style.foreground.flatMap { hues[$0.hue] } ?? (style.isFaint ? faint : text)
  }

  static let dark = SelectionColors(
    background: RGBColor(0x2C3E5A), text: RGBColor(0xF4F6FA), faint: RGBColor(0xBEC6D2),
    hues: [
      .red: RGBColor(0xFFA8A0), .green: RGBColor(0x9FE6A0), .yellow: RGBColor(0xFFD97A), .blue: RGBColor(0xA8CCFF),
      .magenta: RGBColor(0xF4B0F4), .cyan: RGBColor(0x8CE6E6),
    ])
  static let light = SelectionColors(
    background: RGBColor(0xCFE0F7), text: RGBColor(0x10141A), faint: RGBColor(0x46505C),
    hues: [
      .red: RGBColor(0xA00014), .green: RGBColor(0x005A14), .yellow: RGBColor(0x5F4400), .blue: RGBColor(0x0A3AA0),
      .magenta: RGBColor(0x78107A), .cyan: RGBColor(0x005060),
    ])
}
