package import ToDoModel

/// The form that `todo edit` opens in an editor: the fields of an item as texts.
///
/// A text is empty if the field is not set.
package struct EditForm: Equatable, Sendable {
  private var values: [Field: String] = [:]
  /// The text after the fields.
  package var note = ""

  /// Creates an empty form.
  package init() {}

  /// Creates the form for an item's content. A coordinate that a geocoder found is not part of the form.
  package init(_ content: ItemContent, in zone: any TimeZoneRules) {
    for field in Field.allCases { self[field] = field.row.text(content, zone) }
    note = content.itemDescription ?? ""
  }

  /// The text of a field.
  package subscript(field: Field) -> String {
    get { values[field] ?? "" }
    set { values[field] = newValue.isEmpty ? nil : newValue }
  }
}

// MARK: - Text

extension EditForm {
  /// The text of the form, in a subset of YAML front matter.
  ///
  /// The fields are between two lines `---`, one `key: value` each. A value that YAML would misread is in double quotes. Each step
  /// is a line that begins with `- ` and has the mark of a task list.
  /// The note follows, with a line feed at its end. Comments explain the format.
  package var text: String { text(withComments: []) }

  /// Returns the text of the form with further comments before the fields. A comment is one line.
  func text(withComments comments: [String]) -> String {
    var lines = ["---", "# Save the form to change the item. To change nothing, leave the form as it is."]
    lines.append(
      #"# A value can be in double quotes, with the escapes \\, \", \n and \t. An empty value clears the field."#)
    lines += comments.map { "# \($0)" }
    for field in Field.allCases {
      if let comment = field.row.comment { lines.append("# \(comment)") }
      let value = self[field]
      if field.isList {
        lines.append("\(field.rawValue):")
        lines += values[field].map { $0.components.map(Self.listLine) } ?? []
        continue
      }
      lines.append(value.isEmpty ? "\(field.rawValue):" : "\(field.rawValue): \(Self.literal(value))")
    }
    lines += ["# The note follows this line:", "---"]
    return lines.map { $0 + "\n" }.joined() + (note.isEmpty ? "" : note + "\n")
  }

  /// Returns an element of a list.
  private static func listLine(_ element: String) -> String {
    let mark = StepText.mark(of: element)
    let rest = String(element.dropFirst(mark.count))
    return "- " + mark + literal(rest)
  }

  /// Returns a value, in double quotes unless the parser and YAML read it back without them.
  private static func literal(_ value: String) -> String {
    let scalars = value.unicodeScalars
    guard let first = scalars.first, let last = scalars.last else { return "" }
    let isPlain =
      (first.properties.isAlphabetic || first.properties.numericType != nil) && last != " "
      && scalars.allSatisfy { $0 == " " || !($0.properties.isWhitespace || needsQuotes.contains($0)) }
    return isPlain ? value : quoted(value)
  }

  /// The characters with a meaning in YAML, and those that have escapes.
  private static let needsQuotes: Set<Unicode.Scalar> = [":", "#", "\"", "\\"]

  private static func quoted(_ value: String) -> String {
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\", "\"": quoted += ["\\", scalar]
      case "\n": quoted += ["\\", "n"]
      case "\t": quoted += ["\\", "t"]
      default: quoted.append(scalar)
      }
    }
    quoted.append("\"")
    return String(quoted)
  }
}

// MARK: - Parsing

extension EditForm {
  /// Parses a form that a user has edited.
  ///
  /// | part | form |
  /// | --- | --- |
  /// | front matter | the lines between the first line, which is `---`, and the next line `---` |
  /// | field | `key: value`; white space around the value is ignored |
  /// | value | a text as it is, or in double quotes with the escapes `\\`, `\"`, `\n` and `\t` |
  /// | step | a line after `steps:` that begins with `-`, with a value |
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
    var (list, elements) = (Field?.none, [String]())
    for index in 1..<end {
      let line = lines[index][...].trimmed
      if list != nil, line.first == "-" {
        elements.append(try Self.element(line.dropFirst().trimmed, line: index + 1))
        continue
      }
      guard let (field, value) = try Self.field(line, line: index + 1) else { continue }
      guard keys.insert(field).inserted else {
        throw EditFormError(line: index + 1, reason: "'\(field.rawValue)' is set twice; remove one of the lines")
      }
      self[field] = value
      list = field.isList ? field : nil
      if list != nil { elements = value.isEmpty ? [] : [value] }
    }
    if keys.contains(.steps) { self[.steps] = elements.joined(separator: "\n") }
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

  /// Parses an element of a list.
  private static func element(
    _ scalars: ArraySlice<Unicode.Scalar>, line number: Int
  ) throws(EditFormError) -> String {
    let mark = StepText.mark(of: scalars.text)
    return mark + (try value(scalars.dropFirst(mark.unicodeScalars.count), line: number))
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

extension String {
  /// The lines of the text, also empty ones.
  fileprivate var components: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
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

// MARK: - Changes

extension EditForm {
  /// Returns the edit that changes an item from another form into this one. It contains only the fields that differ.
  ///
  /// - Parameters:
  ///   - original: the form of the item before the user changed it.
  ///   - zoneName: the IANA name of the time zone in which the item is to repeat and to remind. Reminders have no states.
  ///   - locale: the user's locale.
  /// - Throws: `DueDateError`, or `InvalidText` if the tags, the priority or the coordinate cannot be parsed.
  package func edit(
    from original: EditForm, _ parser: DueDateParser, zoneName: String = "", locale: String = ""
  ) throws -> ItemEdit {
    var edit = ItemEdit()
    if !hasSameNote(as: original) { edit.itemDescription = note.allSatisfy(\.isWhitespace) ? .clear : .set(note) }
    for field in Field.allCases where self[field] != original[field] {
      switch field {
      case .repetition: try setRepetition(&edit, parser, zoneName: zoneName, locale: locale)
      case .remind: try setReminders(&edit, parser, zoneName: zoneName)
      default: try field.row.edit?(self[field], parser, &edit)
      }
    }
    let name = change(of: .place, from: original) { $0 }
    let address = change(of: .address, from: original) { $0 }
    let coordinate = try change(of: .coordinate, from: original, Self.coordinate)
    if name != .keep || address != .keep || coordinate != .keep {
      edit.location = .edit(name: name, address: address, coordinate: coordinate)
    }
    return edit
  }

  /// Sets the repetition, from the due date on. A repetition that says when it begins also sets a missing due date.
  private func setRepetition(
    _ edit: inout ItemEdit, _ parser: DueDateParser, zoneName: String, locale: String
  ) throws {
    let text = self[.repetition].isEmpty ? "none" : self[.repetition]
    let parsed = try RepetitionParser(dates: parser, locale: locale).parse(text)
    let first = try? parser.parse(self[.due])
    edit.repetition =
      parsed.map { .set(Repetition($0.rule(from: first, in: parser.zone), timeZone: zoneName)) } ?? .clear
    if self[.due].isEmpty, let due = parsed?.due { edit.due = .set(due) }
  }

  /// Sets the reminders, which may be relative to the due date.
  private func setReminders(_ edit: inout ItemEdit, _ parser: DueDateParser, zoneName: String) throws {
    let due: DueDate? = if case .set(let due) = edit.due { due } else { try? parser.parse(self[.due]) }
    edit.reminders = try ReminderParser(dates: parser).parseList(self[.remind]).map {
      Reminder($0.trigger(due: due, timeZone: zoneName))
    }
  }

  private func change<Value: Equatable & Sendable>(
    of field: Field, from original: EditForm, _ parse: (String) throws -> Value
  ) rethrows -> FieldEdit<Value> {
    try self[field] == original[field] ? .keep : FieldEdit(self[field], parse)
  }

  /// Whether the notes are equal. Ignores what editors change: the kind of line ends, and line ends after the text.
  func hasSameNote(as other: EditForm) -> Bool {
    Self.comparable(note) == Self.comparable(other.note)
  }

  private static func comparable(_ note: String) -> String {
    var lines = note.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  private static func coordinate(_ text: String) throws -> Coordinate {
    guard let coordinate = Coordinate(text) else {
      throw InvalidText(
        reason: "INVALID_COORDINATE",
        description:
          "'\(text.escapingControls())' is not a coordinate; write latitude,longitude in degrees, such as 52.52,13.405")
    }
    return coordinate
  }
}
