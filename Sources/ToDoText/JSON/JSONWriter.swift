import ToDoModel

/// Writes JSON (RFC 8259) that is safe to print in a terminal: control characters are escaped.
struct JSONWriter {
  private(set) var text = ""
  private let indents: Bool
  private var depth = 0

  init(indents: Bool) {
    self.indents = indents
  }

  /// Appends a value to the text.
  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .integer(let number): text += String(number)
    // JSON cannot represent infinity or NaN.
    case .number(let number): text += number.isFinite ? String(number) : "null"
    case .string(let string): write(string)
    case .array(let elements):
      writeList("[", elements, "]") { $0.write($1) }
    case .object(let members):
      writeList("{", members, "}") {
        $0.write($1.key)
        $0.text += ": "
        $0.write($1.value)
      }
    }
  }

  private mutating func writeList<Element>(
    _ opening: String, _ elements: [Element], _ closing: String, _ writeElement: (inout JSONWriter, Element) -> Void
  ) {
    text += opening
    depth += 1
    for (index, element) in elements.enumerated() {
      if index > 0 { text += indents ? "," : ", " }
      breakLine()
      writeElement(&self, element)
    }
    depth -= 1
    if !elements.isEmpty { breakLine() }
    text += closing
  }

  private mutating func breakLine() {
    guard indents else { return }
    text += "\n"
    for _ in 0..<depth { text += "  " }
  }

  private mutating func write(_ string: String) {
    text += "\""
    if string.unicodeScalars.contains(where: { $0 == "\"" || $0 == "\\" || $0.isTerminalControl }) {
      writeEscaped(string)
    } else {
      text += string
    }
    text += "\""
  }

  private mutating func writeEscaped(_ string: String) {
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isTerminalControl: writeEscape(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Writes one UTF-16 unit, which suffices because all control characters are in the Basic Multilingual Plane.
  private mutating func writeEscape(_ scalar: Unicode.Scalar) {
    let digits = String(scalar.value, radix: 16)
    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
