import ToDoModel
import ToDoText

/// The map of an item's place. Creating it takes up to 20 ms, so a screen stores it.
struct DetailMap: Equatable, Sendable {
  let coordinate: Coordinate
  let size: MapSize
  let view: MapView

  /// Creates the map that `todo show` prints.
  init(of coordinate: Coordinate, size: MapSize, _ environment: ScreenEnvironment) {
    self.coordinate = coordinate
    self.size = size
    let mark = MapMark(coordinate: coordinate, symbol: "◉")
    view = .around(mark, size: size, world: environment.world, labels: environment.labels)
  }

  /// Returns whether both maps show the same place in the same size.
  static func == (left: DetailMap, right: DetailMap) -> Bool {
    left.coordinate == right.coordinate && left.size == right.size
  }
}
