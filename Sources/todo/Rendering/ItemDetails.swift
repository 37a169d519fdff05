import ToDoModel

/// The fields of an item, one line per field that is set.
struct ItemDetails {
  let item: ToDoItem
  let now: Timestamp
  let today: CalendarDate
  let zone: any TimeZoneRules
  /// The map of the item's place.
  var map: MapView?

  /// Returns the title, the fields, the map and the links.
  func lines(_ palette: Palette) -> [String] {
    let isOverdue = !item.isDone && item.due?.isOverdue(now: now, today: today) == true
    let due = item.due.map { $0.absoluteText(in: zone) + (isOverdue ? " (overdue)" : "") }
    let fields: [(label: String, text: String?)] = [
      ("number", item.number == .unknown ? nil : item.number.description),
      ("id", item.id.description),
      ("state", item.isDone ? "done" : "to do"),
      ("due", isOverdue ? due.map(palette.overdue) : due),
      ("place", item.location?.name?.escapingControls()),
      ("address", item.location?.address?.escapingControls()),
      ("coordinate", item.location.flatMap(Self.coordinate)),
      ("note", item.itemDescription.map(Self.indented)),
      ("added", item.createdAt.absoluteText(in: zone)),
      ("changed", item.updatedAt == item.createdAt ? nil : item.updatedAt.absoluteText(in: zone)),
      ("completed", item.completedAt?.absoluteText(in: zone)),
      ("revision", item.revision.description),
    ]
    let links = item.location?.coordinate.map { [("geo", $0.geoURI), ("web map", $0.openStreetMapURL)] } ?? []
    return [palette.heading(item.title.escapingControls())]
      + fields.compactMap { field in field.text.map { line(field.label, $0, palette) } }
      + (map.map { [""] + $0.lines(palette) + [""] } ?? [])
      + links.map { line($0, $1, palette) }
  }

  private func line(_ label: String, _ text: String, _ palette: Palette) -> String {
    "  " + palette.faint(label) + spaces(Self.labelWidth - label.count) + text
  }

  private static let labelWidth = 12

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// Returns a note with its lines aligned below each other.
  private static func indented(_ note: String) -> String {
    note.replacing("\r\n", with: "\n").escapingControls(keepingLines: true)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\n" + String(repeating: " ", count: 2 + labelWidth))
  }

  private static func coordinate(_ location: Location) -> String? {
    guard let coordinate = location.coordinate else { return nil }
    let provenance = location.provenance.map {
      " (\($0.granularity.words), found by \($0.source.escapingControls()))"
    }
    return coordinate.text + (provenance ?? "")
  }
}
