import ToDoModel
import ToDoText

/// The input that the user types in the last line of the list screen.
enum ListInput: Equatable, Sendable {
  case none
  case search(TextField)
  case filter(FilterFields)
  /// The new date of an item.
  case postponement(ItemID, TextField)

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
    case .postponement(_, let field):
      let visible = field.visibleText(width: max(4, columns - Self.postponementLabel.count - 1))
      return (
        StyledText(Self.postponementLabel, .heading) + StyledText(visible.text),
        Self.postponementLabel.count + visible.cursor
      )
    }
  }

  private static let postponementLabel = "postpone to: "
}

/// The fields of the filter by due date, place and marks, in one line.
struct FilterFields: Equatable, Sendable {
  private var fields: [TextField]
  private var index = 0

  private static let labels = ["due: ", " place: ", " #: "]

  init(_ filter: ListFilter) {
    fields = [filter.due, filter.place, filter.marks].map { TextField($0, limit: ItemQuery.Limits.text) }
  }

  /// The field with the cursor.
  var current: TextField {
    get { fields[index] }
    set { fields[index] = newValue }
  }

  /// Moves the cursor to the next field or, with -1, to the one before. After the last one comes the first.
  mutating func switchFields(by offset: Int) { index = (index + offset + fields.count) % fields.count }

  /// Returns a filter with the typed values.
  func applied(to filter: ListFilter) -> ListFilter {
    let texts = fields.map(\.text.oneLine)
    var new = filter
    (new.due, new.place, new.marks) = (texts[0], texts[1], texts[2])
    return new
  }

  /// Returns a filter without the values of the fields.
  func cleared(_ filter: ListFilter) -> ListFilter {
    var new = filter
    (new.due, new.place, new.marks) = ("", "", "")
    return new
  }

  /// Returns the line and the column of the cursor. The field with the cursor has the room that the others leave.
  func line(columns: Int) -> (text: StyledText, cursor: Int) {
    let room = columns - Self.labels.reduce(0) { $0 + $1.count }
    var widths = fields.map { max(4, min(room / 4, $0.text.displayWidth)) }
    widths[index] = max(4, room - widths.enumerated().reduce(0) { $0 + ($1.offset == index ? 0 : $1.element) })
    var (line, cursor) = (StyledText(), 0)
    for (position, field) in fields.enumerated() {
      let visible = field.visibleText(width: widths[position])
      line.append(Self.labels[position], position == index ? .heading : .faint)
      if position == index { cursor = line.text.displayWidth + visible.cursor }
      line.append(position == fields.count - 1 ? visible.text : visible.text.padded(toWidth: widths[position]))
    }
    return (line, cursor)
  }
}
