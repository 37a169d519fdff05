import ToDoModel
import ToDoText

/// The small map of a place below the form.
struct FormMap: Equatable, Sendable {
  let coordinate: Coordinate
  let size: MapSize
  let lines: [StyledText]

  init(_ coordinate: Coordinate, size: MapSize, _ environment: ScreenEnvironment) {
    (self.coordinate, self.size) = (coordinate, size)
    let mark = MapMark(coordinate: coordinate, symbol: "◉")
    let view = MapView.around(mark, size: size, world: environment.world, labels: environment.labels)
    lines = view.lines
  }

  /// Returns the size of a map in a window, or `nil` if the window has no room for one.
  static func size(_ environment: ScreenEnvironment) -> MapSize? {
    guard environment.size.columns >= minimumWindow.columns, environment.size.rows >= minimumWindow.rows else {
      return nil
    }
    // The rows are a quarter of the columns. The other rows are for the fields.
    return MapSize(terminalColumns: min(maximumColumns, 4 * (environment.bodyRows - fieldRows)))
  }

  private static let minimumWindow = WindowSize(rows: 24, columns: 80)
  private static let maximumColumns = 60
  private static let fieldRows = 15
}
