/// A map as text: coasts and borders, the towns that there is room for, marks, and a scale bar below.
struct MapView {
  let frame: MapFrame
  let canvas: BrailleCanvas
  /// Where two share a character, the first is shown.
  let marks: [MapMark]
  /// The first are the first to find room.
  let towns: [PlaceLabel]

  func lines(_ palette: Palette) -> [String] {
    let overlay = overlay(palette)
    return (0..<frame.rows).map { line($0, overlay, palette) } + scaleBar(palette)
  }

  /// How many names a map has at most; more would hide it.
  static let townLimit = 12

  private static let townSymbol = "∘"

  /// What covers the drawing.
  private struct Overlay {
    /// Texts with their style, by where they begin.
    var texts: [MapCell: (text: String, width: Int)] = [:]
    var placement: LabelPlacement
  }

  private func overlay(_ palette: Palette) -> Overlay {
    var overlay = Overlay(placement: LabelPlacement(columns: frame.columns, rows: frame.rows))
    for mark in marks {
      guard let cell = frame.cell(at: mark.coordinate), !overlay.placement.isTaken(cell) else { continue }
      overlay.placement.take(cell)
      let symbol = String(mark.symbol)
      overlay.texts[cell] = (mark.isOverdue ? palette.overdue(symbol) : palette.id(symbol), 1)
    }
    // The marks that have no name yet.
    var marked = Set(overlay.texts.keys)
    var count = 0
    for town in towns where count < Self.townLimit {
      guard let cell = frame.cell(at: town.coordinate) else { continue }
      guard name(town, at: cell, isMarked: marked.contains(cell), in: &overlay) else { continue }
      marked.remove(cell)
      count += 1
    }
    return overlay
  }

  /// Writes a town's name where there is room for it, and says whether there was.
  private func name(_ town: PlaceLabel, at cell: MapCell, isMarked: Bool, in overlay: inout Overlay) -> Bool {
    guard isMarked || !overlay.placement.isTakenNear(cell) else { return false }
    let name = town.name.escapingControls()
    let width = name.displayWidth
    guard width > 0, let start = overlay.placement.place(width: width, beside: cell, gap: isMarked ? 1 : 0) else {
      return false
    }
    overlay.texts[start] = (name, width)
    guard !isMarked else { return true }
    overlay.placement.take(cell)
    overlay.texts[cell] = (Self.townSymbol, 1)
    return true
  }

  private func line(_ row: Int, _ overlay: Overlay, _ palette: Palette) -> String {
    var line = ""
    var dots = ""
    // Blanks wait until something follows them, so that no line ends with any.
    var blanks = 0
    func takeBlanks() -> String {
      defer { blanks = 0 }
      return String(repeating: " ", count: blanks)
    }
    var column = 0
    while column < frame.columns {
      let cell = MapCell(column: column, row: row)
      column += 1
      if let (text, width) = overlay.texts[cell] {
        line += palette.faint(dots) + takeBlanks() + text
        dots = ""
        column += width - 1
      } else if let character = canvas[cell.column, row], !overlay.placement.isTakenNear(cell) {
        dots += takeBlanks() + String(character)
      } else {
        blanks += 1
      }
    }
    return line + palette.faint(dots)
  }

  private func scaleBar(_ palette: Palette) -> [String] {
    let bar = ScaleBar(kilometersPerColumn: frame.kilometersPerDot * 2, limit: max(10, frame.columns / 4))
    return bar.map { [palette.faint($0.text)] } ?? []
  }
}
