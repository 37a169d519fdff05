/// Parses keys, mouse events and pastes from the bytes that a terminal sends: UTF-8, and the escape sequences of ECMA-48 and
/// xterm.
///
/// Sequences may arrive in pieces. Unknown sequences and keys with Alt are skipped. Characters that arrive together are joined
/// to clusters. Otherwise, the result does not depend on the pieces.
package struct InputParser: Sendable {
  private enum State: Equatable {
    case ground
    case escape
    /// After `ESC O`. The next byte is the letter of a key in application mode.
    case single
    /// After `ESC [`.
    case sequence(ControlSequence)
    /// After `ESC [ [`. The next byte is the letter of a Linux console's function key.
    case function
    /// After `ESC [ M`. Three bytes follow, for a mouse event of terminals without the SGR mode.
    case pointer([UInt8])
    /// After `ESC ]` or another introducer of a string, such as a late response to a query of another program.
    case string
    case paste
  }

  private var state = State.ground
  private var decoder = UTF8Decoder()
  /// Whether the incomplete character is to be skipped, because Alt was pressed.
  private var isSkipping = false
  private var paste = PasteBuffer()
  /// The characters that are not in `inputs` yet.
  private var text = String.UnicodeScalarView()
  private var inputs: [ScreenEvent] = []

  /// Creates a parser without pending bytes.
  package init() {}

  /// Whether the last bytes are an unfinished escape sequence or UTF-8 character.
  ///
  /// `flush()` resolves it, after a short time without input. A paste is not pending: it may take any time, and its rest must
  /// not be interpreted as keys.
  package var isPending: Bool {
    switch state {
    case .ground: decoder.isPending
    case .paste: false
    default: true
    }
  }

  /// Returns the inputs that the bytes complete.
  package mutating func inputs(in bytes: some Sequence<UInt8>) -> [ScreenEvent] {
    for byte in bytes { parse(byte) }
    return takeInputs()
  }

  /// Returns the inputs that the pending bytes mean if no more bytes follow: a single ESC is the Escape key, and other
  /// unfinished sequences are skipped.
  package mutating func flush() -> [ScreenEvent] {
    if state != .paste {
      if state == .escape { put(.key(.escape)) }
      endText()
      state = .ground
    }
    return takeInputs()
  }

  private mutating func parse(_ byte: UInt8) {
    switch state {
    case .paste:
      guard paste.append(byte) else { return }
      let text = paste.text
      paste = PasteBuffer()
      state = .ground
      if !text.isEmpty { put(.paste(text)) }
    case .pointer(let bytes):
      parsePointer(bytes + [byte])
    case _ where byte == Self.escape:
      endText()
      if state == .escape { put(.key(.escape)) }
      state = .escape
    case .ground:
      parseCharacter(byte)
    case .escape:
      parseEscape(byte)
    case .single:
      state = .ground
      let key: KeyPress? = byte == UInt8(ascii: "M") ? .enter : ControlSequence.letter(byte)
      if let key { put(.key(key)) }
    case .sequence(let sequence):
      parse(sequence, byte)
    case .function:
      state = .ground
    case .string:
      // BEL ends a string. CAN and SUB cancel it.
      if [0x07, 0x18, 0x1A].contains(byte) { state = .ground }
    }
  }

  /// Parses the byte after ESC.
  private mutating func parseEscape(_ byte: UInt8) {
    switch Unicode.Scalar(byte) {
    case "[": state = .sequence(ControlSequence())
    case "O": state = .single
    case "]", "P", "_", "^", "X": state = .string
    default:
      state = .ground
      guard byte >= 0x80 else { return }
      isSkipping = true
      parseCharacter(byte)
    }
  }

  /// Parses a byte after `ESC [` and the bytes of a sequence.
  private mutating func parse(_ sequence: ControlSequence, _ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "[") where sequence.hasNoParameters: state = .function
    case UInt8(ascii: "M") where sequence.hasNoParameters: state = .pointer([])
    case 0x20...0x3F:
      var longer = sequence
      longer.append(byte)
      state = .sequence(longer)
    case 0x40...0x7E:
      state = sequence.startsPaste(final: byte) ? .paste : .ground
      if let input = sequence.input(final: byte) { put(input) }
    default:
      // Not part of a sequence.
      state = .ground
      parseCharacter(byte)
    }
  }

  private mutating func parsePointer(_ bytes: [UInt8]) {
    guard bytes.count == 3 else { return state = .pointer(bytes) }
    state = .ground
    let numbers = bytes.map { Int($0) - 32 }
    if numbers[0] >= 0, let event = PointerEvent(button: numbers[0], column: numbers[1], row: numbers[2]) {
      put(.pointer(event))
    }
  }

  private static let escape: UInt8 = 0x1B
}

// MARK: - Characters

extension InputParser {
  private mutating func parseCharacter(_ byte: UInt8) {
    var scalars: [Unicode.Scalar] = []
    decoder.decode(byte) { scalars.append($0) }
    for scalar in scalars {
      // If there are two, the first is the one that the byte has proven invalid.
      let isSkipped = isSkipping
      isSkipping = false
      if !isSkipped { put(scalar) }
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\r", "\n": put(.key(.enter))
    case "\t": put(.key(.tab))
    case "\u{8}", "\u{7F}": put(.key(.backspace))
    case "\u{1}"..."\u{1A}": put(.key(.control(Character(Unicode.Scalar(UInt8(scalar.value) + 0x60)))))
    case "\0"..."\u{1F}", "\u{80}"..."\u{9F}": break
    default: text.append(scalar)
    }
  }

  private mutating func put(_ input: ScreenEvent) {
    flushText()
    inputs.append(input)
  }

  /// Ends the text, and an incomplete character in it.
  private mutating func endText() {
    var isInvalid = false
    decoder.reset { _ in isInvalid = true }
    if isInvalid, !isSkipping { text.append("\u{FFFD}") }
    isSkipping = false
    flushText()
  }

  /// Moves the text to the inputs, one key for each cluster.
  private mutating func flushText() {
    guard !text.isEmpty else { return }
    for character in String(text) { inputs.append(.key(.character(character))) }
    text = String.UnicodeScalarView()
  }

  private mutating func takeInputs() -> [ScreenEvent] {
    flushText()
    defer { inputs = [] }
    return inputs
  }
}
