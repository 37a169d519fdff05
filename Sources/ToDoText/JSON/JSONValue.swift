/// A JSON value. Unlike with `JSONEncoder`, objects preserve the order of their keys.
package indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number, written as null unless it is finite.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A key and its value.
  package struct Member: Equatable, Sendable {
    let key: String
    let value: JSONValue

    /// Creates a member of an object.
    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }
}

extension JSONValue {
  /// A string, or null.
  package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
  /// A number, or null.
  static func optional(_ number: Double?) -> JSONValue { number.map(JSONValue.number) ?? .null }

  /// The JSON text on several indented lines.
  package var indentedText: String {
    var writer = JSONWriter(indents: true)
    writer.write(self)
    return writer.text
  }

  /// The JSON text on one line.
  package var lineText: String {
    var writer = JSONWriter(indents: false)
    writer.write(self)
    return writer.text
  }
}
