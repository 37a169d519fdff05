package import ToDoModel

/// A map as text: coasts and borders, marks, as many town names as fit, and a scale bar.
package struct MapView {
  let frame: MapFrame
  let canvas: BrailleCanvas
  /// The marks. If several share a cell, the first is shown.
  let marks: [MapMark]
  /// The towns to name, in order of priority.
  let towns: [PlaceLabel]

  package init(frame: MapFrame, canvas: BrailleCanvas, marks: [MapMark], towns: [PlaceLabel]) {
    (self.frame, self.canvas, self.marks, self.towns) = (frame, canvas, marks, towns)
  }

  /// Returns the lines of the map.
  package var lines: [StyledText] {
    let overlay = overlay
    return (0..<frame.rows).map { line($0, overlay) } + scaleBar
  }

  /// The maximum number of names. More would hide the map.
  package static let townLimit = 12

  private static let townSymbol = "∘"

  /// The texts that cover the drawing.
  private struct Overlay {
    /// The texts by their first cell, with their widths.
    var texts: [MapCell: (text: StyledText, width: Int)] = [:]
    var placement: LabelPlacement
  }

  private var overlay: Overlay {
    var overlay = Overlay(placement: LabelPlacement(columns: frame.columns, rows: frame.rows))
    for mark in marks {
      guard let cell = frame.cell(at: mark.coordinate), !overlay.placement.isOccupied(cell) else { continue }
      overlay.placement.occupy(cell)
      overlay.texts[cell] = (mark.text, 1)
    }
    // The cells of marks without a name.
    var marked = Set(overlay.texts.keys)
    var count = 0
    for town in towns where count < Self.townLimit {
      guard let cell = frame.cell(at: town.coordinate) else { continue }
      guard placeName(of: town, at: cell, isMarked: marked.contains(cell), in: &overlay) else { continue }
      marked.remove(cell)
      count += 1
    }
    return overlay
  }

  /// Places a town's name if there is space, and returns whether there was.
  private func placeName(of town: PlaceLabel, at cell: MapCell, isMarked: Bool, in overlay: inout Overlay) -> Bool {
    guard isMarked || !overlay.placement.isNearOccupied(cell) else { return false }
    let name = town.name.escapingControls()
    let width = name.displayWidth
    guard width > 0, let start = overlay.placement.place(width: width, beside: cell, gap: isMarked ? 1 : 0) else {
      return false
    }
    overlay.texts[start] = (StyledText(name), width)
    guard !isMarked else { return true }
    overlay.placement.occupy(cell)
    overlay.texts[cell] = (StyledText(Self.townSymbol), 1)
    return true
  }

  private func line(_ row: Int, _ overlay: Overlay) -> StyledText {
    var line = StyledText()
    var dots = ""
    // Spaces are written only when a character follows, so that no line ends with spaces.
    var spaces = 0
    func takeSpaces() -> String {
      defer { spaces = 0 }
      return String(repeating: " ", count: spaces)
    }
    var column = 0
    while column < frame.columns {
      let cell = MapCell(column: column, row: row)
      column += 1
      if let (text, width) = overlay.texts[cell] {
        line.append(dots, .faint)
        line.append(takeSpaces())
        line.append(text)
        dots = ""
        column += width - 1
      } else if let character = canvas[cell.column, row], !overlay.placement.isNearOccupied(cell) {
        dots += takeSpaces() + String(character)
      } else {
        spaces += 1
      }
    }
    line.append(dots, .faint)
    return line
  }

  private var scaleBar: [StyledText] {
    let bar = ScaleBar(kilometersPerColumn: frame.kilometersPerDot * 2, limit: max(10, frame.columns / 4))
    return bar.map { [StyledText($0.text, .faint)] } ?? []
  }
}

// MARK: - Framing

extension MapView {
  /// Creates a map around a mark, wide enough to include coasts or borders.
  package static func around(_ mark: MapMark, size: MapSize, world: [MapLine], labels: any PlaceLabels) -> MapView {
    let frame = frame(around: mark.coordinate, size: size, world: world)
    return MapView(frame: frame, marks: [mark], world: world, labels: labels)
  }

  /// Creates the map of a frame.
  package init(frame: MapFrame, marks: [MapMark], world: [MapLine], labels: any PlaceLabels) {
    self.frame = frame
    self.marks = marks
    canvas = MapDrawing.canvas(of: world, in: frame)
    towns = labels.places(near: frame.projection.center, within: frame.radius, limit: Self.townLimit * 5)
  }

  /// Returns a frame that contains all coordinates, or `nil` if there are none.
  package static func frame(of coordinates: [Coordinate], size: MapSize, world: [MapLine]) -> MapFrame? {
    guard let first = coordinates.first else { return nil }
    if coordinates.allSatisfy({ $0 == first }) { return frame(around: first, size: size, world: world) }
    return MapFrame(fitting: coordinates, minimumWidth: minimumWidth, columns: size.columns, rows: size.rows)
  }

  private static func frame(around center: Coordinate, size: MapSize, world: [MapLine]) -> MapFrame {
    var frame = MapFrame(around: center, width: defaultWidth, columns: size.columns, rows: size.rows)
    // The map is wide enough if it has as many dots as a dotted line across it.
    while frame.width < maximumWidth, MapDrawing.canvas(of: world, in: frame).dotCount < size.columns {
      frame = MapFrame(around: center, width: frame.width * 1.5, columns: size.columns, rows: size.rows)
    }
    return frame
  }

  /// The default width of a map in kilometers. The data has a point about every 50 km, so a narrower map would show only a
  /// few straight lines.
  private static let defaultWidth = 600.0
  /// The maximum width in kilometers, about the width of an ocean.
  private static let maximumWidth = 6000.0
  /// The minimum width in kilometers, about the width of a town.
  private static let minimumWidth = 20.0
}
