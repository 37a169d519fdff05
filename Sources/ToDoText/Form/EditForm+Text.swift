extension EditForm {
  /// The text of the form, in a subset of YAML front matter.
  ///
  /// The fields are between two lines `---`, one `key: value` each. A value that YAML would misread is in double quotes.
  /// The note follows, with a line feed at its end. Comments explain the format.
  package var text: String {
    var lines = ["---", "# Save the form to change the item. To change nothing, leave the form as it is."]
    lines.append(
      #"# A value can be in double quotes, with the escapes \\, \", \n and \t. An empty value clears the field."#)
    for field in Field.allCases {
      if let comment = field.comment { lines.append("# \(comment)") }
      let value = self[field]
      lines.append(value.isEmpty ? "\(field.rawValue):" : "\(field.rawValue): \(Self.literal(value))")
    }
    lines += ["# The note follows this line:", "---"]
    return lines.map { $0 + "\n" }.joined() + (note.isEmpty ? "" : note + "\n")
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

extension EditForm.Field {
  /// The explanation above the line of the field.
  fileprivate var comment: String? {
    switch self {
    case .title: nil
    case .due: "A date or time: 'tomorrow 17:00', fri, 'next week', 3d, 28 nov, 2026-05-01, ..."
    case .place: "The name of the place."
    case .address: "The postal address of the place. Its coordinate is looked up unless you set one."
    case .coordinate: "The degrees north and east, such as 52.52,13.405."
    }
  }
}
