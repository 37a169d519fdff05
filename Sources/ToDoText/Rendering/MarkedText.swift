/// A text of a listing with a marker after it, which remains when the text is truncated.
struct MarkedText {
  let text: String
  /// The marker with a leading blank, or an empty text.
  let marker: String

  /// The marker of a title whose item has a note.
  static let note = " +"
  /// The marker of a place that has a coordinate.
  static let coordinate = " @"

  /// The minimum width of a truncated text that retains its marker.
  private static let minimumWidth = 8

  init(_ text: String, marker: String = "") {
    (self.text, self.marker) = (text, marker)
  }

  /// The number of terminal columns.
  var displayWidth: Int { text.displayWidth + marker.utf8.count }

  /// The text and its marker.
  var wholeText: String { marker.isEmpty ? text : text + marker }

  /// Returns the text and its marker truncated to a number of columns, with an ellipsis if anything is cut off.
  func truncated(toWidth limit: Int) -> String {
    guard !marker.isEmpty, displayWidth > limit, limit >= Self.minimumWidth else {
      return wholeText.truncated(toWidth: limit)
    }
    return text.truncated(toWidth: limit - marker.utf8.count) + marker
  }
}

extension ListLayout.Row {
  /// The title and the marker of a note.
  var markedTitle: MarkedText { MarkedText(title, marker: hasNote ? MarkedText.note : "") }

  /// The place and the marker of a coordinate.
  var markedPlace: MarkedText { MarkedText(place, marker: hasCoordinate ? MarkedText.coordinate : "") }
}
