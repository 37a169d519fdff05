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
  func line(columns: Int) -> (text: StyledText, cursor: Int)? {
    switch self {
    case .none: return nil
    case .search(let field):
      let visible = field.visibleText(width: max(4, columns - 1))
      return (StyledText("/" + visible.text), 1 + visible.cursor)
    case .filter(let fields): return fields.line(columns: columns)
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
  func line(columns: Int) -> (text: StyledText, cursor: Int) {
    let labels = ["due: ", " at: "]
    let width = max(4, (columns - labels[0].count - labels[1].count) / 2)
    let texts = [due, place].map { $0.visibleText(width: width) }
    var line = StyledText(labels[0], isPlaceCurrent ? .faint : .heading)
    line.append(texts[0].text.padded(toWidth: width))
    line.append(labels[1], isPlaceCurrent ? .heading : .faint)
    line.append(texts[1].text)
    let start = isPlaceCurrent ? labels[0].count + width + labels[1].count : labels[0].count
    return (line, start + texts[isPlaceCurrent ? 1 : 0].cursor)
  }
}
