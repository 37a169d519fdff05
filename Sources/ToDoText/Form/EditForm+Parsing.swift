import ToDoModel

extension EditForm {
  /// Parses a form that a user has edited.
  ///
  /// | part | form |
  /// | --- | --- |
  /// | front matter | the lines between the first line, which is `---`, and the next line `---` |
  /// | field | `key: value`; white space around the value is ignored |
  /// | value | a text as it is, or in double quotes with the escapes `\\`, `\"`, `\n` and `\t` |
  /// | comment | a line of the front matter that begins with `#`, or is empty |
  /// | note | everything after the front matter, without the last line end |
  ///
  /// A field without a line is empty. If the first line ends with CR LF, every line does.
  ///
  /// - Throws: `EditFormError` if a line has none of the forms, or has an unknown or repeated key.
  package init(parsing text: String) throws(EditFormError) {
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      Array(String(decoding: $0, as: UTF8.self).unicodeScalars)
    }
    // Some editors add a byte order mark.
    if lines[0].first == "\u{FEFF}" { lines[0].removeFirst() }
    let hasReturns = lines[0].last == "\r"
    guard lines[0][...].trimmed == Self.fence else {
      throw EditFormError(line: 1, reason: "the form must begin with a line '---'")
    }
    guard let end = lines.indices.dropFirst().first(where: { lines[$0][...].trimmed == Self.fence }) else {
      throw EditFormError(line: lines.count, reason: "a line '---' must follow the fields")
    }
    self.init()
    var keys = Set<Field>()
    for index in 1..<end {
      guard let (field, value) = try Self.field(lines[index][...].trimmed, line: index + 1) else { continue }
      guard keys.insert(field).inserted else {
        throw EditFormError(line: index + 1, reason: "'\(field.rawValue)' is set twice; remove one of the lines")
      }
      self[field] = value
    }
    note = Self.note(lines[(end + 1)...], hasReturns: hasReturns)
  }

  private static let fence: ArraySlice<Unicode.Scalar> = ["-", "-", "-"]

  private static func note(_ lines: ArraySlice<[Unicode.Scalar]>, hasReturns: Bool) -> String {
    var lines = lines
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { line in
      (hasReturns && line.last == "\r" ? line.dropLast() : line[...]).text
    }.joined(separator: "\n")
  }

  /// Parses a line of the front matter, or returns `nil` for a comment.
  private static func field(
    _ line: ArraySlice<Unicode.Scalar>, line number: Int
  ) throws(EditFormError) -> (Field, String)? {
    guard let first = line.first, first != "#" else { return nil }
    let keys = Field.allCases.map(\.rawValue).joined(separator: ", ")
    guard let colon = line.firstIndex(of: ":") else {
      throw EditFormError(line: number, reason: "expected 'key: value', with one of these keys: \(keys)")
    }
    let key = line[..<colon].trimmed.text
    guard let field = Field(rawValue: key) else {
      throw EditFormError(
        line: number,
        reason: "unknown key '\(key.escapingControls())'; the keys are \(keys), and the note follows '---'")
    }
    return (field, try value(line[line.index(after: colon)...].trimmed, line: number))
  }

  private static func value(
    _ scalars: ArraySlice<Unicode.Scalar>, line number: Int
  ) throws(EditFormError) -> String {
    guard scalars.first == "\"" else { return scalars.text }
    var (value, rest) = ([Unicode.Scalar](), scalars.dropFirst())
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"":
        guard rest.isEmpty else {
          throw EditFormError(
            line: number, reason: #"text follows the closing quote; write \" for a quote in the value"#)
        }
        return value[...].text
      case "\\":
        guard let escaped = rest.popFirst().flatMap({ escapes[$0] }) else {
          throw EditFormError(line: number, reason: #"unknown escape; the escapes are \\, \", \n and \t"#)
        }
        value.append(escaped)
      default: value.append(scalar)
      }
    }
    throw EditFormError(line: number, reason: "the closing quote is missing")
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = ["\\": "\\", "\"": "\"", "n": "\n", "t": "\t"]
}

extension ArraySlice<Unicode.Scalar> {
  /// The scalars without spaces, tabs and carriage returns at both ends.
  ///
  /// Scalars instead of characters, because a value can begin with a combining mark.
  fileprivate var trimmed: ArraySlice<Unicode.Scalar> {
    let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" || scalar == "\r" }
    var rest = drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }

  fileprivate var text: String { String(String.UnicodeScalarView(self)) }
}
