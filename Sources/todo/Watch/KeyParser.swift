/// Parses keys from the bytes that a terminal sends: single characters, and the escape sequences of ECMA-48 and xterm.
/// Unknown keys are skipped. Sequences may arrive in pieces.
struct KeyParser: Equatable, Sendable {
  private enum State: Equatable {
    case ground
    case escape
    /// After `ESC O`. The next byte is the letter of a key in application mode.
    case single
    /// After `ESC [`, with the value of the first number so far. Further numbers are modifiers.
    case sequence(number: Int, isFirst: Bool)
  }

  private var state = State.ground

  /// Returns the keys that the bytes complete.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
    bytes.compactMap { key(at: $0) }
  }

  private mutating func key(at byte: UInt8) -> Key? {
    if byte == Self.escape {
      state = .escape
      return nil
    }
    switch state {
    case .escape where byte == UInt8(ascii: "["): state = .sequence(number: 0, isFirst: true)
    case .escape where byte == UInt8(ascii: "O"): state = .single
    case .ground, .escape:
      state = .ground
      return Self.character(byte)
    case .single:
      state = .ground
      return Self.letter(byte)
    case .sequence(let number, let isFirst):
      return sequence(byte, number, isFirst)
    }
    return nil
  }

  private mutating func sequence(_ byte: UInt8, _ number: Int, _ isFirst: Bool) -> Key? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9") where isFirst:
      // No key has a greater number, and the limit prevents overflow.
      state = .sequence(number: min(number * 10 + Int(byte - UInt8(ascii: "0")), 999), isFirst: true)
    case 0x20...0x3F:
      state = .sequence(number: number, isFirst: false)
    case UInt8(ascii: "~"):
      state = .ground
      return Self.numbered[number]
    default:
      state = .ground
      return Self.letter(byte)
    }
    return nil
  }

  private static let escape: UInt8 = 0x1B

  private static func character(_ byte: UInt8) -> Key? {
    switch Unicode.Scalar(byte) {
    case "q", "Q", "\u{3}": .quit
    case "k", "\u{10}": .up
    case "j", "\r", "\n", "\u{E}": .down
    case "b", "\u{2}": .pageUp
    case " ", "f", "\u{6}": .pageDown
    case "g": .top
    case "G": .bottom
    case "\u{C}": .redraw
    default: nil
    }
  }

  /// Returns the key for the last byte of `ESC [ A` or `ESC O A`.
  private static func letter(_ byte: UInt8) -> Key? {
    switch Unicode.Scalar(byte) {
    case "A": .up
    case "B": .down
    case "F": .bottom
    case "H": .top
    default: nil
    }
  }

  /// The keys by the number in `ESC [ 5 ~`.
  private static let numbered: [Int: Key] = [
    1: .top, 4: .bottom, 5: .pageUp, 6: .pageDown, 7: .top, 8: .bottom,
  ]
}
