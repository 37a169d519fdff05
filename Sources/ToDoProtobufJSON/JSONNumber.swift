/// A number in the syntax of JSON.
struct JSONNumber {
  let text: UnsafeRawBufferPointer

  /// A number's maximum length. The exact decimal form of a `Double` can be longer, but no program writes it.
  static let maximumLength = 128

  /// Reads the number at the start of a text. `nil` if there is none.
  init?(prefixOf bytes: UnsafeRawBufferPointer) {
    var offset = 0
    func skip(_ isAccepted: (UInt8) -> Bool) -> Bool {
      guard offset < bytes.count, isAccepted(bytes[offset]) else { return false }
      offset += 1
      return true
    }
    func skipDigits() -> Bool {
      let start = offset
      while skip(\.isDigit) {}
      return offset > start
    }
    _ = skip { $0 == UInt8(ascii: "-") }
    // No leading zeros.
    if !skip({ $0 == UInt8(ascii: "0") }) {
      guard skipDigits() else { return nil }
    }
    if skip({ $0 == UInt8(ascii: ".") }) {
      guard skipDigits() else { return nil }
    }
    if skip({ $0 | 0x20 == UInt8(ascii: "e") }) {
      _ = skip { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
      guard skipDigits() else { return nil }
    }
    text = UnsafeRawBufferPointer(rebasing: bytes[..<offset])
  }

  /// Reads a number that is the whole text. `nil` if the text is another one.
  init?(_ bytes: UnsafeRawBufferPointer) {
    self.init(prefixOf: bytes)
    guard text.count == bytes.count else { return nil }
  }

  /// Whether the number is too long to be read.
  var isTooLong: Bool { text.count > Self.maximumLength }

  /// The value as floating point, which is infinite out of its range.
  var double: Double? { Double(String(decoding: text, as: UTF8.self)) }
  var float: Float? { Float(String(decoding: text, as: UTF8.self)) }

  /// The value if it is an integer, even with a fraction of zeros or an exponent.
  var integer: Integer? {
    var digits = Digits()
    var rest = text[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    var isFraction = false
    while let byte = rest.first, byte.isDigit || byte == UInt8(ascii: ".") {
      rest.removeFirst()
      if byte == UInt8(ascii: ".") { isFraction = true } else { digits.append(byte - UInt8(ascii: "0"), isFraction) }
    }
    if !rest.isEmpty { digits.exponent += Self.exponent(rest.dropFirst()) }
    guard let magnitude = digits.magnitude else { return nil }
    return Integer(isNegative: isNegative, magnitude: magnitude)
  }

  /// An integer of any size.
  struct Integer {
    let isNegative: Bool
    /// Clamped above the range of all types.
    let magnitude: UInt128

    func value<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
      isNegative ? Value(exactly: -Int128(magnitude)) : Value(exactly: magnitude)
    }
  }

  private static func exponent(_ text: Slice<UnsafeRawBufferPointer>) -> Int {
    var value = 0
    for byte in text where byte.isDigit { value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000) }
    return text.first == UInt8(ascii: "-") ? -value : value
  }

  /// The digits of a number without zeros at its ends.
  private struct Digits {
    /// Clamped at `limit`.
    private var significand: UInt128 = 0
    /// The number of zeros that follow the significand, besides `zeros`; negative if the last digits are a fraction.
    var exponent = 0
    /// Zeros that belong to the significand if another digit follows.
    private var zeros = 0

    private static let limit = UInt128(UInt64.max) + 1

    mutating func append(_ digit: UInt8, _ isFraction: Bool) {
      if isFraction { exponent -= 1 }
      guard digit > 0 else {
        if significand > 0 { zeros += 1 }
        return
      }
      for _ in 0..<zeros { shift(0) }
      zeros = 0
      shift(digit)
    }

    private mutating func shift(_ digit: UInt8) {
      significand = min(significand * 10 + UInt128(digit), Self.limit)
    }

    /// The value if it is an integer.
    var magnitude: UInt128? {
      guard significand > 0 else { return 0 }
      let shift = exponent + zeros
      guard shift >= 0 else { return nil }
      var digits = self
      for _ in 0..<min(shift, 20) { digits.shift(0) }
      return digits.significand
    }
  }
}

extension UInt8 {
  /// Whether a number can start with the character.
  var startsNumber: Bool { isDigit || self == UInt8(ascii: "-") }
}
