import Foundation
import Testing
import ToDoModel
import ToDoText

@testable import ToDoScreens

@Suite struct ScreenThemeTests {
  private func theme(_ environment: [String: String], isColored: Bool = true) -> ScreenTheme {
    ScreenTheme(Palette(isColored: isColored)) { environment[$0] }
  }

  @Test(
    arguments: [
      ([:], .sixteen),
      (["TERM": "xterm"], .sixteen),
      (["TERM": "xterm-256color"], .indexed),
      (["TERM": "screen", "COLORTERM": "truecolor"], .trueColor),
      (["TERM": "xterm-256color", "COLORTERM": "24bit"], .trueColor),
      (["TERM": "xterm-256color", "COLORTERM": "yes"], .indexed),
    ] as [([String: String], ColorDepth)])
  func init_ofTerminal_determinesDepth(environment: [String: String], depth: ColorDepth) {
    #expect(theme(environment).depth == depth)
    #expect(theme(environment, isColored: false).depth == .none)
  }

  @Test(
    arguments: [
      ("", false), ("15;0", false), ("0;15", true), ("0;default;15", true), ("0;7", true), ("7;8", false),
      ("0;6", false),
      ("15;default", false), ("0;99", false), (";", false), ("12;11", true),
    ])
  func init_ofColorsVariable_determinesBackground(value: String, isLight: Bool) {
    #expect(theme(["COLORFGBG": value]).isLight == isLight)
    #expect(!theme([:]).isLight)
  }

  @Test func terminalStyle_ofUnselectedText_usesColorsOfTheme() {
    let styles: [TextStyle] = [.plain, .heading, .id, .overdue, .faint]
    for depth: ColorDepth in [.sixteen, .indexed, .trueColor] {
      #expect(
        styles.map(ScreenTheme(depth: depth).terminalStyle) == [
          .plain, TerminalStyle(isBold: true), TerminalStyle(foreground: .theme(.yellow)),
          TerminalStyle(foreground: .theme(.red)), TerminalStyle(isFaint: true),
        ])
    }
    #expect(
      styles.map(ScreenTheme(depth: .none).terminalStyle) == [
        .plain, TerminalStyle(isBold: true), .plain, .plain, TerminalStyle(isFaint: true),
      ])
  }

  @Test func terminalStyle_ofListColors_usesColorsOfTheme() {
    let styles = ListColor.allCases.filter { $0 != .none }.map(TextStyle.init)
    for depth: ColorDepth in [.sixteen, .indexed, .trueColor] {
      let colors = styles.map { ScreenTheme(depth: depth).terminalStyle(for: $0).parameters(from: .plain) }
      #expect(colors == [[31], [91], [33], [32], [36], [34], [35], [95], [90]])
    }
    #expect(styles.allSatisfy { ScreenTheme(depth: .none).terminalStyle(for: $0) == .plain })
  }

  @Test(arguments: [ColorDepth.none, .sixteen])
  func terminalStyle_ofSelectedTextWithFewColors_isReverse(depth: ColorDepth) {
    #expect(ScreenTheme(depth: depth).terminalStyle(for: .highlighted) == TerminalStyle(isReverse: true))
  }

  @Test(arguments: [true, false], [ColorDepth.indexed, .trueColor])
  func terminalStyle_ofSelectedText_isReadable(isLight: Bool, depth: ColorDepth) {
    let style = ScreenTheme(depth: depth, isLight: isLight).terminalStyle(for: .highlighted)
    #expect(!style.isReverse)
    #expect(contrast(style.foreground, style.background) >= 4.5)
  }

  @Test func terminalStyle_ofSelectedText_fitsBackground() {
    let dark = ScreenTheme(depth: .trueColor).terminalStyle(for: .highlighted)
    let light = ScreenTheme(depth: .trueColor, isLight: true).terminalStyle(for: .highlighted)
    #expect(luminance(dark.background) < 0.1)
    #expect(luminance(light.background) > 0.6)
  }

  @Test(arguments: [(0x000000, 16), (0xFFFFFF, 231), (0xFF0000, 196), (0x3A3A3A, 237), (0x5F87AF, 67), (0xEEEEEE, 255)])
  func index_ofColor_isNearest(color: Int, index: Int) {
    #expect(RGBColor(color).index == UInt8(index))
  }

  @Test(
    arguments: [
      (TerminalStyle.plain, TerminalStyle(isBold: true, foreground: .theme(.red)), [1, 31]),
      (TerminalStyle(isBold: true, foreground: .theme(.red)), .plain, [0]),
      (TerminalStyle(foreground: .theme(.red)), TerminalStyle(foreground: .theme(.yellow)), [33]),
      (TerminalStyle(isBold: true), TerminalStyle(isFaint: true), [0, 2]),
      (TerminalStyle(isBold: true), TerminalStyle(isBold: true, isReverse: true), [7]),
      (TerminalStyle.plain, TerminalStyle(foreground: .indexed(9), background: .indexed(237)), [38, 5, 9, 48, 5, 237]),
      (TerminalStyle.plain, TerminalStyle(background: .rgb(RGBColor(0x010203))), [48, 2, 1, 2, 3]),
      (TerminalStyle.plain, .plain, []),
    ] as [(TerminalStyle, TerminalStyle, [Int])])
  func parameters_betweenStyles_areMinimal(old: TerminalStyle, new: TerminalStyle, parameters: [Int]) {
    #expect(new.parameters(from: old) == parameters)
  }

  // MARK: - Contrast of the Web Content Accessibility Guidelines

  private func contrast(_ one: TerminalStyle.Color?, _ other: TerminalStyle.Color?) -> Double {
    let values = [luminance(one), luminance(other)].sorted()
    return (values[1] + 0.05) / (values[0] + 0.05)
  }

  private func luminance(_ color: TerminalStyle.Color?) -> Double {
    let components: [Int]
    switch color {
    case .rgb(let color): components = [color.red, color.green, color.blue]
    case .indexed(let index): components = Self.components(of: Int(index))
    default: return .nan
    }
    let linear: [Double] = components.map { component in
      let value = Double(component) / 255
      return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  /// Returns the components of one of the colors 16 to 255 of xterm.
  private static func components(of index: Int) -> [Int] {
    if index >= 232 { return Array(repeating: 8 + 10 * (index - 232), count: 3) }
    let levels = [0, 95, 135, 175, 215, 255]
    let cube = index - 16
    return [levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6]]
  }
}
