package import ToDoModel

/// The fields of an item, one line per field that is set. Long texts take several lines if the width is limited.
package struct ItemDetails {
  let item: ToDoItem
  let now: Timestamp
  let today: CalendarDate
  let zone: any TimeZoneRules
  /// The time zone in which the item repeats; `nil` if it is the reader's, or unknown.
  var repetitionZone: (any TimeZoneRules)?
  /// The town nearest to the item's coordinate, which is shown if the user gave the coordinate.
  var town: PlaceLabel?
  /// The map of the item's place.
  var map: MapView?
  /// The maximum width of a line, or `nil` for no limit.
  var columns: Int?
  /// The index of the step that is highlighted.
  var selectedStep: Int?

  /// Creates the details of an item at a time.
  package init(
    item: ToDoItem, now: Timestamp, today: CalendarDate, zone: any TimeZoneRules,
    repetitionZone: (any TimeZoneRules)? = nil, town: PlaceLabel? = nil,
    map: MapView? = nil, columns: Int? = nil, selectedStep: Int? = nil
  ) {
    self.item = item
    self.now = now
    self.today = today
    self.zone = zone
    self.repetitionZone = repetitionZone
    self.town = town
    self.map = map
    self.columns = columns
    self.selectedStep = selectedStep
  }

  /// The lines of an item, and the line range of each step.
  package struct Layout {
    /// All lines.
    package var lines: [StyledText]
    /// The line range of each step.
    package var steps: [Range<Int>] = []
  }

  /// The title, the fields, the map and the links.
  package var lines: [StyledText] { layout.lines }

  /// The lines with the positions of the steps.
  package var layout: Layout {
    var layout = Layout(lines: wrapped(item.title.escapingControls(), indent: 0).map { StyledText($0, .heading) })
    layout.lines += lines(of: planFields)
    for (index, step) in item.steps.enumerated() {
      let style = index == selectedStep ? TextStyle.highlighted : step.isDone ? .faint : .plain
      let text = StepText.numbered(step, index + 1, of: item.steps.count)
      let start = layout.lines.count
      layout.lines += lines(index == 0 ? "steps" : "", text, style)
      layout.steps.append(start..<layout.lines.count)
    }
    let links = item.location?.coordinate.map { [("geo", $0.geoURI), ("web map", $0.openStreetMapURL)] } ?? []
    layout.lines += lines(of: otherFields) + (map.map { [""] + $0.lines + [""] } ?? [])
    layout.lines += links.flatMap { lines($0, $1, .plain) }
    return layout
  }

  /// A field that may be unset.
  typealias Field = (label: String, text: String?)

  /// The fields before the steps.
  private var planFields: [Field] {
    [
      ("number", item.number == .unknown ? nil : item.number.description),
      ("id", item.id.description),
      ("state", item.isDone ? "done" : "to do"),
    ] + FieldText.inDetails.flatMap { $0.details?(self) ?? [] }
  }

  /// The next dates of an item that repeats and is not done.
  var nextDates: String? {
    guard !item.isDone, let repetition = item.repetition, let due = item.due else { return nil }
    return repetition.nextDates(after: due, today: today, in: zone, repeatingIn: repetitionZone)
  }

  /// The fields after the steps.
  private var otherFields: [Field] {
    [
      ("place", item.location?.name?.escapingControls()),
      ("address", item.location?.address?.escapingControls()),
      ("coordinate", item.location.flatMap(coordinate)),
      ("note", item.itemDescription?.replacing("\r\n", with: "\n").escapingControls(keepingLines: true)),
      ("added", item.createdAt.absoluteText(in: zone)),
      ("changed", item.updatedAt == item.createdAt ? nil : item.updatedAt.absoluteText(in: zone)),
      ("done", item.completedAt?.absoluteText(in: zone)),
      ("revision", item.revision.description),
    ]
  }

  /// Whether the item is overdue.
  var isOverdue: Bool { !item.isDone && item.due?.isOverdue(now: now, today: today) == true }

  private func lines(of fields: [Field]) -> [StyledText] {
    fields.flatMap { label, text in
      text.map { lines(label, $0, isOverdue && label == "due" ? .overdue : .plain) } ?? []
    }
  }

  /// Returns a field, with its lines aligned below each other.
  private func lines(_ label: String, _ text: String, _ style: TextStyle) -> [StyledText] {
    let indent = 2 + Self.labelWidth
    return wrapped(text, indent: indent).enumerated().map { index, line in
      var styled = StyledText("  ")
      if index == 0 { styled.append(label, .faint) }
      styled.append(blanks: indent - styled.text.count)
      styled.append(line, style)
      return styled
    }
  }

  private static let labelWidth = 12
  /// The minimum width of a wrapped text.
  private static let minimumWidth = 8

  /// Returns the lines of a text, wrapped if the width is limited.
  private func wrapped(_ text: String, indent: Int) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let columns else { return lines }
    return lines.flatMap { $0.wrapped(toWidth: max(Self.minimumWidth, columns - indent)) }
  }

  private func coordinate(_ location: Location) -> String? {
    guard let coordinate = location.coordinate else { return nil }
    if let provenance = location.provenance {
      return "\(coordinate.text) (\(provenance.granularity.words), found by \(provenance.source.escapingControls()))"
    }
    return coordinate.text
      + (town.map { " (\(coordinate.distance(to: $0.coordinate).distanceText) from \($0.name.escapingControls()))" }
        ?? "")
  }
}
