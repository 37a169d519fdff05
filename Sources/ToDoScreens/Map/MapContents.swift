import ToDoModel
import ToDoText

/// The items on a map: the marks, and the items nearest to the center.
struct MapContents: Equatable, Sendable {
  /// A line of the legend.
  struct Entry: Equatable, Sendable {
    let id: ItemID
    /// The symbol on the map, or `nil` if the item is outside the map.
    let mark: MapMark?
    /// The distance from the center in meters.
    let distance: Double
  }

  /// The marks, one for each cell with items, and the mark of the center.
  let marks: [MapMark]
  let legend: [Entry]
  /// The number of items inside the map.
  let visibleCount: Int

  /// The symbol of the center. An item there covers it.
  private static let centerSymbol: Character = "+"

  init(_ places: MapPlaces, on base: MapBase, _ content: ListContent, _ environment: ScreenEnvironment) {
    var groups = CellGroups()
    for place in places.places {
      guard let cell = base.frame.cell(at: place.coordinate) else { continue }
      let item = content[place.id]
      let isOverdue =
        item?.isDone == false && item?.due?.isOverdue(now: environment.now, today: environment.today) == true
      groups.add(place.coordinate, at: cell, isOverdue: isOverdue)
    }
    let marks = groups.marks(in: base.frame)
    self.marks = marks + [MapMark(coordinate: base.region.center, symbol: Self.centerSymbol)]
    visibleCount = groups.count
    legend = places.nearest(to: base.region.center, limit: base.layout.legendRows).map { place, distance in
      let index = base.frame.cell(at: place.coordinate).flatMap { groups.indices[$0] }
      return Entry(id: place.id, mark: index.map { marks[$0] }, distance: distance)
    }
  }

  /// The items by their cells on the map.
  private struct CellGroups {
    /// The indices of the groups by their cells.
    private(set) var indices: [MapCell: Int] = [:]
    private var groups: [(coordinate: Coordinate, isOverdue: Bool)] = []
    /// The number of items.
    private(set) var count = 0

    mutating func add(_ coordinate: Coordinate, at cell: MapCell, isOverdue: Bool) {
      count += 1
      if let index = indices[cell] {
        if isOverdue { groups[index].isOverdue = true }
      } else {
        indices[cell] = groups.count
        groups.append((coordinate, isOverdue))
      }
    }

    /// Returns the marks, in the order of the groups' first items.
    func marks(in frame: MapFrame) -> [MapMark] {
      let symbols = MapSymbols(for: groups.map(\.coordinate), in: frame).symbols
      return zip(groups, symbols).map { group, symbol in
        MapMark(coordinate: group.coordinate, symbol: symbol, isOverdue: group.isOverdue)
      }
    }
  }
}
