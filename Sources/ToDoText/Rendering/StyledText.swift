/// The style of a text by its meaning. A `Palette` or a screen determines how it looks.
package enum TextStyle: UInt8, CaseIterable, Sendable {
  case plain
  case heading
  /// The number or the ID of an item.
  case id
  /// What is overdue or wrong.
  case overdue
  /// What is selected.
  case highlighted
  /// What is less important.
  case faint
}

/// A line of text whose parts have styles.
package struct StyledText: Equatable, Sendable {
  /// A part of the text with a style other than `plain`.
  private struct Span: Equatable {
    /// The range in UTF-8 bytes.
    let bytes: Range<Int>
    let style: TextStyle
  }

  /// The text without styles.
  package private(set) var text: String
  /// The styled parts in ascending order. Everything between them is plain.
  private var spans: [Span] = []

  /// Creates a text of one style.
  package init(_ text: String = "", _ style: TextStyle = .plain) {
    self.text = text
    if style != .plain { addSpan(from: 0, style) }
  }

  /// The number of terminal columns.
  package var displayWidth: Int { text.displayWidth }

  /// Returns whether any part has a style.
  package func contains(_ style: TextStyle) -> Bool { spans.contains { $0.style == style } }

  /// Appends a text of one style.
  package mutating func append(_ other: String, _ style: TextStyle = .plain) {
    let start = style == .plain ? 0 : text.utf8.count
    text += other
    if style != .plain { addSpan(from: start, style) }
  }

  /// Appends a text with its styles.
  package mutating func append(_ other: StyledText) {
    let start = text.utf8.count
    text += other.text
    for span in other.spans {
      spans.append(Span(bytes: span.bytes.lowerBound + start..<span.bytes.upperBound + start, style: span.style))
    }
  }

  /// Appends blanks.
  package mutating func append(blanks count: Int) {
    for _ in 0..<max(0, count) { text += " " }
  }

  /// Calls a closure for each part of the text, with its style.
  package func forEachPart(_ body: (Substring, TextStyle) throws -> Void) rethrows {
    let bytes = text.utf8
    var index = text.startIndex
    for span in spans {
      let start = bytes.index(bytes.startIndex, offsetBy: span.bytes.lowerBound)
      let end = bytes.index(start, offsetBy: span.bytes.count)
      if index < start { try body(text[index..<start], .plain) }
      try body(text[start..<end], span.style)
      index = end
    }
    if index < text.endIndex { try body(text[index...], .plain) }
  }

  /// Returns the concatenation of two texts.
  package static func + (first: StyledText, second: StyledText) -> StyledText {
    var text = first
    text.append(second)
    return text
  }

  /// Gives a style to the text from a byte to its end, unless that is empty.
  private mutating func addSpan(from start: Int, _ style: TextStyle) {
    let end = text.utf8.count
    guard start < end else { return }
    // Most lines have few styles. One allocation is enough for them.
    if spans.isEmpty { spans.reserveCapacity(4) }
    spans.append(Span(bytes: start..<end, style: style))
  }
}

extension StyledText: ExpressibleByStringLiteral {
  /// Creates a plain text.
  package init(stringLiteral value: String) { self.init(value) }
}

extension Sequence<StyledText> {
  /// Returns the concatenation of texts with a plain text between them.
  func joined(separator: String) -> StyledText {
    var result = StyledText()
    for (index, text) in enumerated() {
      if index > 0 { result.append(separator) }
      result.append(text)
    }
    return result
  }
}
