import ToDoModel
import ToDoText

/// What the user types in the last line of the list screen.
enum ListInput: Equatable, Sendable {
  case none
  case search(TextField)
  case filter(FilterFields)

  /// Creates the input of a search.
  static func search(_ filter: ListFilter) -> ListInput {
    .search(TextField(filter.text, limit: ItemQuery.Limits.text))
  }

  var isOpen: Bool { self != .none }

  /// Returns the line and the column of the cursor.
  func line(columns: Int, _ palette: Palette) -> (text: String, cursor: Int)? {
    switch self {
    case .none: return nil
    case .search(let field):
      let visible = field.visibleText(width: max(4, columns - 1))
      return ("/" + visible.text, 1 + visible.cursor)
    case .filter(let fields): return fields.line(columns: columns, palette)
    }
  }
}

/// The fields of the filter by due date and place, in one line.
struct FilterFields: Equatable, Sendable {
  private var due: TextField
  private var place: TextField
  private var isPlaceCurrent = false

  init(_ filter: ListFilter) {
    due = TextField(filter.due, limit: ItemQuery.Limits.text)
    place = TextField(filter.place, limit: ItemQuery.Limits.text)
  }

  /// The field with the cursor.
  var current: TextField {
    get { isPlaceCurrent ? place : due }
    set { if isPlaceCurrent { place = newValue } else { due = newValue } }
  }

  /// Moves the cursor to the other field.
  mutating func switchFields() { isPlaceCurrent.toggle() }

  /// Returns a filter with the typed values.
  func applied(to filter: ListFilter) -> ListFilter {
    ListFilter(text: filter.text, due: due.text.oneLine, place: place.text.oneLine)
  }

  /// Returns the line and the column of the cursor.
  func line(columns: Int, _ palette: Palette) -> (text: String, cursor: Int) {
    let labels = ["due: ", " at: "]
    let width = max(4, (columns - labels[0].count - labels[1].count) / 2)
    let texts = [due, place].map { $0.visibleText(width: width) }
    let styles = isPlaceCurrent ? [palette.faint, palette.heading] : [palette.heading, palette.faint]
    let line = styles[0](labels[0]) + texts[0].text.padded(toWidth: width) + styles[1](labels[1]) + texts[1].text
    let start = isPlaceCurrent ? labels[0].count + width + labels[1].count : labels[0].count
    return (line, start + texts[isPlaceCurrent ? 1 : 0].cursor)
  }
}
