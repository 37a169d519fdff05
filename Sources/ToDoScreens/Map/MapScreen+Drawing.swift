import ToDoModel
import ToDoText

extension MapScreen {
  /// Returns the drawing of a map with its scale bar, and the legend below.
  func drawing(
    _ picture: [String], _ contents: MapContents, _ content: ListContent, _ environment: ScreenEnvironment
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
    let lines = [text.truncated(toWidth: environment.columns)]
    return ScreenDrawing(lines: Array(lines.prefix(environment.bodyRows)), hints: [KeyHint("Esc", "back")])
  }

  /// Returns the symbol of an item, its title and its distance from the center.
  private func legendLine(_ entry: MapContents.Entry, title: String, _ environment: ScreenEnvironment) -> String {
    let palette = environment.palette
    let distance = entry.distance.distanceText
    let room = max(1, environment.columns - distance.displayWidth - 4)
    let symbol = entry.mark.map { mark in
      mark.isOverdue ? palette.overdue(String(mark.symbol)) : palette.id(String(mark.symbol))
    }
    let text = title.escapingControls().truncated(toWidth: room)
    return "\(symbol ?? " ") \(text)  \(palette.faint(distance))"
  }

  private func status(_ contents: MapContents) -> String {
    let count = places.places.count
    let items = "\(count) item\(count == 1 ? "" : "s")"
    return contents.visibleCount == count ? items : "\(contents.visibleCount) of \(items)"
  }
}
