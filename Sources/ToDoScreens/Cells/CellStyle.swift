/// One of the 16 colors that a terminal's theme defines.
enum TerminalColor: UInt8, CaseIterable, Sendable {
  case black, red, green, yellow, blue, magenta, cyan, white
  case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite

  /// The color without its brightness.
  var hue: TerminalColor { TerminalColor(rawValue: rawValue % 8) ?? self }
}

/// The style of a cell, as a `Palette` specifies it.
struct CellStyle: Hashable, Sendable {
  var isBold = false
  var isFaint = false
  /// Whether the cell is selected or highlighted. A `ScreenTheme` determines how it looks.
  var isReverse = false
  var foreground: TerminalColor?
  var background: TerminalColor?

  static let plain = CellStyle()

  /// The style of a blank that looks the same as a blank of this style.
  var ofBlank: CellStyle { CellStyle(isReverse: isReverse, background: background) }

  /// Applies a parameter of the ECMA-48 sequence "select graphic rendition". Unknown parameters have no effect.
  mutating func apply(_ parameter: Int) {
    switch parameter {
    case 0: self = .plain
    case 1: isBold = true
    case 2: isFaint = true
    case 7: isReverse = true
    case 22: (isBold, isFaint) = (false, false)
    case 27: isReverse = false
    case 30...37: foreground = TerminalColor(rawValue: UInt8(parameter - 30))
    case 39: foreground = nil
    case 40...47: background = TerminalColor(rawValue: UInt8(parameter - 40))
    case 49: background = nil
    case 90...97: foreground = TerminalColor(rawValue: UInt8(parameter - 82))
    case 100...107: background = TerminalColor(rawValue: UInt8(parameter - 92))
    default: break
    }
  }
}
