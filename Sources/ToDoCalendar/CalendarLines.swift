/// The lines of a calendar in the format of RFC 5545.
struct CalendarLines {
  /// The lines in UTF-8, each with its end.
  private(set) var bytes: [UInt8] = []

  /// The maximum size of a line without its end, in bytes. Longer ones are folded.
  private static let width = 75

  /// Adds a property whose value has a format of its own.
  mutating func add(_ name: String, _ value: String) {
    var room = Self.width
    for scalar in "\(name):\(value)".unicodeScalars {
      let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      if encoded.count > room {
        bytes += "\r\n ".utf8
        // The space is a part of the line that it continues.
        room = Self.width - 1
      }
      bytes += encoded
      room -= encoded.count
    }
    bytes += "\r\n".utf8
  }

  /// Adds a property whose value is a text, or a list of texts.
  mutating func add(_ name: String, texts: [String]) {
    add(name, texts.map(Self.escaped).joined(separator: ","))
  }

  /// Adds a property whose value is a text, unless there is none.
  mutating func add(_ name: String, text: String?) {
    if let text, !text.isEmpty { add(name, texts: [text]) }
  }

  mutating func add(_ other: CalendarLines) { bytes += other.bytes }

  /// Returns a text in which no character ends the value or the line. Control characters have no form in a calendar.
  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": escaped += ["\\", scalar]
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": escaped += ["\\", "n"]
      case "\t": escaped.append(scalar)
      case _ where scalar.properties.generalCategory == .control: break
      default: escaped.append(scalar)
      }
      previous = scalar
    }
    return String(escaped)
  }
}
