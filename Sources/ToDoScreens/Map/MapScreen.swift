import ToDoModel
import ToDoText

/// The screen with a map of items, which pans and zooms.
struct MapScreen: Screen {
  private(set) var places: MapPlaces
  /// The item in the center at first, and then the one that Tab has centered.
  private(set) var focus: ItemID?
  /// The visible region, or `nil` until an item has a coordinate.
  private(set) var region: MapRegion?
  private var largeTowns = LargeTowns()
  /// The coasts and towns for the region and the size of the last event.
  private var base: MapBase?
  /// The items on `base`, or `nil` if items have changed since.
  private var contents: MapContents?
  /// The drawing of `base`, with the marks of `contents`.
  private var picture: [StyledText] = []

  /// Creates the map of items.
  ///
  /// - Parameter center: the item to center, or `nil` to show all items in the middle.
  init(items: [ItemID], center: ItemID?) {
    places = MapPlaces(items)
    focus = center
  }

  /// Draws the first map. The coordinator calls this method when it has opened the screen. Without the call, each
  /// drawing computes the map until the first event.
  mutating func opened(_ content: ListContent, _ environment: ScreenEnvironment) -> [ScreenAction] {
    prepare(content, environment)
    return []
  }

  mutating func handle(
    _ event: ScreenEvent, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> [ScreenAction] {
    if case .changed(let change) = event {
      // The next drawing computes the map, so that many changes cost as much as one.
      if places.apply(change) { contents = nil }
      return []
    }
    // Items become overdue.
    if case .minutePassed = event { contents = nil }
    prepare(content, environment)
    let actions = respond(to: event, environment)
    prepare(content, environment)
    return actions
  }

  /// Draws the map if it is not current, which takes several milliseconds.
  private mutating func prepare(_ content: ListContent, _ environment: ScreenEnvironment) {
    if !places.isLoaded { places.load(content) }
    guard let layout = MapLayout(environment.size) else { return }
    if region == nil { showAll(around: focus, layout, environment) }
    guard let region else { return }
    let current: MapBase
    if let base, base.region == region, base.layout == layout {
      current = base
    } else {
      current = MapBase(of: region, layout, environment, &largeTowns)
      (base, contents) = (current, nil)
    }
    guard contents == nil else { return }
    let contents = MapContents(places, on: current, content, environment)
    let view = MapView(frame: current.frame, canvas: current.canvas, marks: contents.marks, towns: current.towns)
    (self.contents, picture) = (contents, view.lines)
  }

  func drawing(_ content: ListContent, _ environment: ScreenEnvironment) -> ScreenDrawing {
    guard MapLayout(environment.size) != nil else {
      return notice("The window is too small for a map.", environment)
    }
    var screen = self
    screen.prepare(content, environment)
    guard !screen.places.places.isEmpty, let contents = screen.contents else {
      return notice("No item has a coordinate.", environment)
    }
    return screen.drawing(screen.picture, contents, content, environment)
  }
}

// MARK: - Events

extension MapScreen {
  private mutating func respond(to event: ScreenEvent, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch event {
    case .key(let key): return handle(key, environment)
    case .pointer(let pointer): return handle(pointer, environment)
    default: return []
    }
  }

  private mutating func handle(_ key: KeyPress, _ environment: ScreenEnvironment) -> [ScreenAction] {
    switch key {
    case .escape, .character("q"): return [.outcome(.closed)]
    case .character("?"): return [.outcome(.wantsHelp)]
    default: break
    }
    guard let layout = MapLayout(environment.size), let region else { return [] }
    switch key {
    case .left, .character("h"): self.region = region.panned(east: -1, north: 0, in: layout)
    case .right, .character("l"): self.region = region.panned(east: 1, north: 0, in: layout)
    case .up, .character("k"): self.region = region.panned(east: 0, north: 1, in: layout)
    case .down, .character("j"): self.region = region.panned(east: 0, north: -1, in: layout)
    case .character("+"): self.region = region.zoomed(by: 1 / Self.zoomStep)
    case .character("-"): self.region = region.zoomed(by: Self.zoomStep)
    case .character("0"): showAll(around: nil, layout, environment)
    case .tab: center(at: places.neighbor(of: focus, step: 1))
    case .backTab: center(at: places.neighbor(of: focus, step: -1))
    case .enter:
      return places.nearest(to: region.center, limit: 1).map { .outcome(.opened($0.place.id)) }
    default: break
    }
    return []
  }

  private mutating func handle(_ pointer: PointerEvent, _ environment: ScreenEnvironment) -> [ScreenAction] {
    guard let layout = MapLayout(environment.size), let region, let base, let contents else { return [] }
    switch pointer.kind {
    case .wheelUp: self.region = region.zoomed(by: 1 / Self.zoomStep)
    case .wheelDown: self.region = region.zoomed(by: Self.zoomStep)
    case .click:
      if let index = layout.legendIndex(inRow: pointer.position.row) {
        guard contents.legend.indices.contains(index) else { return [] }
        return [.outcome(.opened(contents.legend[index].id))]
      }
      guard (0..<layout.rows).contains(pointer.position.row), (0..<layout.columns).contains(pointer.position.column)
      else { return [] }
      let cell = MapCell(column: pointer.position.column, row: pointer.position.row)
      if let place = places.places.first(where: { base.frame.cell(at: $0.coordinate) == cell }) {
        return [.outcome(.opened(place.id))]
      }
      if let coordinate = base.frame.coordinate(at: cell) { self.region = region.centered(at: coordinate) }
    }
    return []
  }

  private static let zoomStep = 2.0

  private mutating func center(at place: MapPlaces.Place?) {
    guard let place else { return }
    focus = place.id
    region = region?.centered(at: place.coordinate)
  }

  /// Shows all items, around one of them if it is set and has a coordinate.
  private mutating func showAll(around item: ItemID?, _ layout: MapLayout, _ environment: ScreenEnvironment) {
    let center = item.flatMap { places.place(of: $0)?.coordinate }
    let coordinates = places.coordinates
    region = MapRegion(fitting: coordinates, around: center, in: layout, world: environment.world) ?? region
  }
}

// MARK: - Drawing

extension MapScreen {
  /// Returns the drawing of a map with its scale bar, and the legend below.
  func drawing(
    _ picture: [StyledText], _ contents: MapContents, _ content: ListContent, _ environment: ScreenEnvironment
  ) -> ScreenDrawing {
    let legend = contents.legend.map { entry in
      legendLine(entry, title: content[entry.id]?.title ?? "", environment)
    }
    let hints = [
      KeyHint("Enter", "open"), KeyHint("Esc", "back"), KeyHint("+ -", "zoom"), KeyHint("Tab", "next"),
      KeyHint("0", "all"), KeyHint("?", "keys"),
    ]
    return ScreenDrawing(
      lines: picture + legend, hints: hints, status: status(contents))
  }

  /// Returns the drawing of a text that replaces the map.
  func notice(_ text: String, _ environment: ScreenEnvironment) -> ScreenDrawing {
    let lines = [StyledText(text.truncated(toWidth: environment.columns))]
    return ScreenDrawing(lines: Array(lines.prefix(environment.bodyRows)), hints: [KeyHint("Esc", "back")])
  }

  /// Returns the symbol of an item, its title and its distance from the center.
  private func legendLine(_ entry: MapContents.Entry, title: String, _ environment: ScreenEnvironment) -> StyledText {
    let distance = entry.distance.distanceText
    let room = max(1, environment.columns - distance.displayWidth - 4)
    let text = title.escapingControls().truncated(toWidth: room)
    return (entry.mark?.text ?? " ") + StyledText(" \(text)  ") + StyledText(distance, .faint)
  }

  private func status(_ contents: MapContents) -> String {
    let count = places.places.count
    let items = "\(count) item\(count == 1 ? "" : "s")"
    return contents.visibleCount == count ? items : "\(contents.visibleCount) of \(items)"
  }
}
