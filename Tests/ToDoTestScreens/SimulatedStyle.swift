/// The style of a cell of a `SimulatedTerminal`.
package struct SimulatedStyle: Hashable {
  package var isBold = false
  package var isFaint = false
  package var isReverse = false
  /// The name of a color, such as `red`, `bright red`, `color 237` or `#2c3e5a`.
  package var foreground: String?
  package var background: String?

  package init(
    isBold: Bool = false, isFaint: Bool = false, isReverse: Bool = false, foreground: String? = nil,
    background: String? = nil
  ) {
    (self.isBold, self.isFaint, self.isReverse) = (isBold, isFaint, isReverse)
    (self.foreground, self.background) = (foreground, background)
  }

  /// What of the style is visible on a blank.
  package var ofBlank: SimulatedStyle {
    isReverse
      ? SimulatedStyle(isReverse: true, foreground: foreground, background: background)
      : SimulatedStyle(background: background)
  }

  /// The words of the style, such as `bold red on color 237`. Empty for the default style.
  package var text: String {
    var words: [String] = []
    if isBold { words.append("bold") }
    if isFaint { words.append("faint") }
    if isReverse { words.append("reverse") }
    if let foreground { words.append(foreground) }
    if let background { words.append("on \(background)") }
    return words.joined(separator: " ")
  }

  private static let hues = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  /// Applies the parameters of "select graphic rendition".
  ///
  /// - Returns: whether all are known.
  package mutating func apply(_ parameters: [Int]) -> Bool {
    var rest = parameters[...]
    while let parameter = rest.popFirst() {
      switch parameter {
      case 0: self = SimulatedStyle()
      case 1: isBold = true
      case 2: isFaint = true
      case 7: isReverse = true
      case 22: (isBold, isFaint) = (false, false)
      case 27: isReverse = false
      case 30...37: foreground = Self.hues[parameter - 30]
      case 39: foreground = nil
      case 40...47: background = Self.hues[parameter - 40]
      case 49: background = nil
      case 90...97: foreground = "bright " + Self.hues[parameter - 90]
      case 100...107: background = "bright " + Self.hues[parameter - 100]
      case 38, 48:
        guard let color = Self.extendedColor(&rest) else { return false }
        if parameter == 38 { foreground = color } else { background = color }
      default: return false
      }
    }
    return true
  }

  private static func extendedColor(_ rest: inout ArraySlice<Int>) -> String? {
    let kind = rest.popFirst()
    if kind == 5 { return rest.popFirst().map { "color \($0)" } }
    guard kind == 2, rest.count >= 3 else { return nil }
    var color = "#"
    for component in rest.prefix(3) {
      let digits = String(component, radix: 16)
      color += digits.count == 1 ? "0" + digits : digits
    }
    rest = rest.dropFirst(3)
    return color
  }
}
