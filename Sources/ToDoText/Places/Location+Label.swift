import ToDoModel

extension Location {
  /// Whether a text is the name, ignoring case.
  package func isNamed(_ text: String) -> Bool { name?.lowercased() == text.lowercased() }

  /// The place's name, or else its address, or else its coordinate.
  package var label: String {
    name ?? address ?? coordinate.map(\.text) ?? ""
  }
}

extension Coordinate {
  /// Parses `LAT,LON`, or returns `nil` if the text is not a coordinate.
  package init?(_ text: String) {
    let degrees = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.degrees)
    guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1] else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  private static func degrees(_ text: Substring) -> Double? {
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.count == 1 ? Double(words[0]) : nil
  }

  /// The degrees north and east, in the format of `--at`.
  package var text: String { "\(latitude),\(longitude)" }
}
