/// A sequence of ECMA-48 and xterm without its introducer `ESC [`: parameters, and a final byte.
struct ControlSequence: Equatable, Sendable {
  /// The first byte if it marks a private sequence, such as `<`.
  private(set) var prefix: UInt8?
  private(set) var parameters = [0]
  /// Whether the sequence contains bytes that no key has.
  private var isUnknown = false
  private var isEmpty = true

  /// The greatest value of a parameter.
  private static let limit = 99_999
  /// The maximum number of parameters. No key has more.
  private static let maximumCount = 4

  /// Whether no byte has arrived.
  var hasNoParameters: Bool { isEmpty }

  /// Appends a byte before the final byte.
  mutating func append(_ byte: UInt8) {
    defer { isEmpty = false }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      let value = parameters[parameters.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
      parameters[parameters.count - 1] = min(value, Self.limit)
    case UInt8(ascii: ";"):
      if parameters.count < Self.maximumCount { parameters.append(0) } else { isUnknown = true }
    case UInt8(ascii: "<")...UInt8(ascii: "?") where isEmpty: prefix = byte
    // Subparameters, such as the kind of a key event.
    default: isUnknown = true
    }
  }

  /// Whether the sequence starts a bracketed paste.
  func startsPaste(final: UInt8) -> Bool {
    final == UInt8(ascii: "~") && prefix == nil && !isUnknown && parameters == [200]
  }

  /// Returns the input that the sequence represents, or `nil` if it is unknown.
  func input(final: UInt8) -> ScreenEvent? {
    guard !isUnknown else { return nil }
    if prefix == UInt8(ascii: "<") { return PointerEvent(self, final: final).map { .pointer($0) } }
    guard prefix == nil else { return nil }
    let key = final == UInt8(ascii: "~") ? Self.numbered[parameters[0]] : Self.letter(final)
    return key.map { .key(hasControl ? $0.withControl : $0) }
  }

  /// Whether the second parameter, 1 plus the bits of the modifiers, contains the bit of Control.
  private var hasControl: Bool { parameters.count == 2 && parameters[1] > 0 && (parameters[1] - 1) & 4 != 0 }

  /// Returns the key for the last byte of `ESC [ A` or `ESC O A`. Other modifiers than Control do not change the key.
  static func letter(_ byte: UInt8) -> KeyPress? {
    switch Unicode.Scalar(byte) {
    case "A": .up
    case "B": .down
    case "C": .right
    case "D": .left
    case "F": .end
    case "H": .home
    case "Z": .backTab
    default: nil
    }
  }

  /// The keys by the number in `ESC [ 5 ~`.
  private static let numbered: [Int: KeyPress] = [
    1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
  ]
}

extension KeyPress {
  fileprivate var withControl: KeyPress {
    switch self {
    case .up: .controlUp
    case .down: .controlDown
    default: self
    }
  }
}

extension PointerEvent {
  /// Creates the event of an SGR mouse sequence: `CSI < button ; column ; row`, then `M` for a press.
  fileprivate init?(_ sequence: ControlSequence, final: UInt8) {
    let numbers = sequence.parameters
    guard final == UInt8(ascii: "M"), numbers.count == 3 else { return nil }
    self.init(button: numbers[0], column: numbers[1], row: numbers[2])
  }

  /// Creates the event of a press.
  ///
  /// - Parameters:
  ///   - button: the code of xterm: 0 for the left button, 64 and 65 for the wheel, with bits for modifiers.
  ///   - column: counted from 1, as the row.
  init?(button: Int, column: Int, row: Int) {
    guard column >= 1, row >= 1 else { return nil }
    let modifiers = 0b11100
    switch button & ~modifiers {
    case 0: kind = .click
    case 64: kind = .wheelUp
    case 65: kind = .wheelDown
    default: return nil
    }
    position = ScreenPosition(row: row - 1, column: column - 1)
  }
}
