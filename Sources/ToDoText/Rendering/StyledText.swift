package import ToDoModel

/// The style of a text by its meaning. A `Palette` or a screen determines how it looks.
package enum TextStyle: UInt8, CaseIterable, Sendable {
  case plain
  case heading
  /// The number or the ID of an item.
  case id
  /// Text about something overdue or wrong.
  case overdue
  /// Selected text.
  case highlighted
  /// Less important text.
  case faint
  /// A list with this color, or a priority.
  case red, orange, yellow, green, teal, blue, purple, pink, gray

  /// Creates the style for a list's mark.
  package init(_ color: ListColor) {
    self =
      switch color {
      case .none: .plain
      case .red: .red
      case .orange: .orange
      case .yellow: .yellow
      case .green: .green
      case .teal: .teal
      case .blue: .blue
      case .purple: .purple
      case .pink: .pink
      case .gray: .gray
      }
  }
}

extension TextStyle {
  /// Creates the style for a priority's mark.
  init(_ priority: Priority) {
    self =
      switch priority {
      case .high: .purple
      case .medium: .blue
      case .low: .gray
      }
  }
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
    guard count > 0 else { return }
    // The usual gap is not worth its own string.
    text += count == 2 ? "  " : String(repeating: " ", count: count)
  }

  /// Calls a closure for each part of the text, with its style.
  package func forEachPart(_ body: (Substring, TextStyle) -> Void) {
    var index = text.startIndex
    forEachRange { bytes, style in
      let end = text.utf8.index(index, offsetBy: bytes.count)
      body(text[index..<end], style)
      index = end
    }
  }

  /// Calls a closure with the UTF-8 bytes and the style of each part.
  func forEachUTF8Part(_ body: (UnsafeBufferPointer<UInt8>, TextStyle) -> Void) {
    var text = text
    text.withUTF8 { all in
      forEachRange { bytes, style in body(UnsafeBufferPointer(rebasing: all[bytes]), style) }
    }
  }

  /// Calls a closure for the range of each part in UTF-8 bytes, with its style.
  private func forEachRange(_ body: (Range<Int>, TextStyle) -> Void) {
    var end = 0
    for span in spans {
      if end < span.bytes.lowerBound { body(end..<span.bytes.lowerBound, .plain) }
      body(span.bytes, span.style)
      end = span.bytes.upperBound
    }
    let count = text.utf8.count
    if end < count { body(end..<count, .plain) }
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
