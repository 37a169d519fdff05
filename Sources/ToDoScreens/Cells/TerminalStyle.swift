/// A color that a terminal's theme defines. The raw value is its number.
enum TerminalColor: UInt8, Sendable {
  case red = 1
  case green = 2
  case yellow = 3
  case blue = 4
  case magenta = 5
  case cyan = 6
  case brightBlack = 8
  case brightRed = 9
  case brightMagenta = 13
}

/// A color with 8 bits for each component.
struct RGBColor: Hashable, Sendable {
  let red: Int
  let green: Int
  let blue: Int

  /// Creates a color from `0xRRGGBB`.
  init(_ value: Int) {
    (red, green, blue) = (value >> 16 & 0xFF, value >> 8 & 0xFF, value & 0xFF)
  }

  /// The index of the most similar color among the colors 16 to 255 of xterm, which themes do not change: a cube of 216
  /// colors and 24 grays.
  var index: UInt8 {
    let steps = [red, green, blue].map { component in component < 48 ? 0 : component < 115 ? 1 : (component - 35) / 40 }
    let cube = RGBColor(steps.reduce(0) { $0 << 8 | ($1 == 0 ? 0 : 55 + 40 * $1) })
    let gray = max(0, min(23, ((red + green + blue) / 3 - 3) / 10))
    let grayColor = RGBColor((8 + 10 * gray) * 0x010101)
    guard distance(to: cube) <= distance(to: grayColor) else { return UInt8(232 + gray) }
    return UInt8(16 + steps.reduce(0) { $0 * 6 + $1 })
  }

  private func distance(to other: RGBColor) -> Int {
    let differences: [Int] = [red - other.red, green - other.green, blue - other.blue]
    return differences.reduce(0) { $0 + $1 * $1 }
  }
}

/// A style in the terms of a terminal.
struct TerminalStyle: Hashable, Sendable {
  enum Color: Hashable, Sendable {
    /// A color of the terminal's theme.
    case theme(TerminalColor)
    /// One of the 256 colors of xterm.
    case indexed(UInt8)
    case rgb(RGBColor)
  }

  var isBold = false
  var isFaint = false
  var isReverse = false
  var foreground: Color?
  var background: Color?

  static let plain = TerminalStyle()

  /// Whether blanks of both styles look the same.
  func looksSameOnBlanks(as other: TerminalStyle) -> Bool {
    isReverse == other.isReverse && background == other.background && (!isReverse || foreground == other.foreground)
  }

  /// Returns the parameters of "select graphic rendition" that change another style into this one.
  func parameters(from other: TerminalStyle) -> [Int] {
    guard self != other else { return [] }
    let lacksAttribute =
      other.isBold && !isBold || other.isFaint && !isFaint || other.isReverse && !isReverse
    let lacksColor = other.foreground != nil && foreground == nil || other.background != nil && background == nil
    // A reset is the shortest way to remove something.
    guard !lacksAttribute, !lacksColor else { return [0] + parameters(from: .plain) }
    var parameters: [Int] = []
    if isBold, !other.isBold { parameters.append(1) }
    if isFaint, !other.isFaint { parameters.append(2) }
    if isReverse, !other.isReverse { parameters.append(7) }
    if let foreground, foreground != other.foreground { parameters += foreground.parameters(base: 30) }
    if let background, background != other.background { parameters += background.parameters(base: 40) }
    return parameters
  }
}

extension TerminalStyle.Color {
  /// Returns the parameters that select the color.
  ///
  /// - Parameter base: 30 for the foreground, 40 for the background.
  fileprivate func parameters(base: Int) -> [Int] {
    switch self {
    case .theme(let color): return [base + Int(color.rawValue) + (color.rawValue < 8 ? 0 : 52)]
    case .indexed(let index): return [base + 8, 5, Int(index)]
    case .rgb(let color): return [base + 8, 2, color.red, color.green, color.blue]
    }
  }
}
