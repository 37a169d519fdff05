/// A JSON value whose objects keep the order of their keys, which `JSONEncoder` does not.
indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Written as null unless it is finite.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  struct Member: Equatable, Sendable {
    let key: String
    let value: JSONValue

    init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }
}

extension JSONValue {
  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
  static func optional(_ number: Double?) -> JSONValue { number.map(JSONValue.number) ?? .null }

  /// On several lines, for people too.
  var indentedText: String {
    var writer = JSONWriter(indents: true)
    writer.write(self)
    return writer.text
  }

  /// On one line.
  var lineText: String {
    var writer = JSONWriter(indents: false)
    writer.write(self)
    return writer.text
  }
}
