import ArgumentParser
import ToDoModel
import ToDoText

/// `todo map`
struct MapCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Show items on a map.",
    usage: "todo map [<options>]",
    discussion:
      "Shows the items that have a coordinate. Items at nearly the same position share a mark. If the output is not a terminal, lists coordinates instead."
  )

  @Flag(exclusivity: .exclusive) var section: ListSection = .todo

  @OptionGroup var map: MapOptions

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.withService { service in
      let found = try await service.allItems(ItemQuery(state: section.state))
      let listing = Listing(items: found.items.filter { $0.location?.coordinate != nil }, revision: found.revision)
      if session.options.json {
        try session.print(JSONValue(listing).indentedText)
      } else if session.options.quiet {
        try session.printLines(listing.items.map(\.id.description))
      } else if listing.items.isEmpty {
        session.printNotice("\(emptySubject) has a coordinate.")
      } else {
        try session.printLines(lines(listing.items, in: session))
      }
    }
  }

  private var emptySubject: String {
    switch section {
    case .all: "No item"
    case .todo: "No incomplete item"
    case .done: "No done item"
    }
  }

  private func lines(_ items: [ToDoItem], in session: Session) -> [StyledText] {
    let rows = ListRows(
      now: session.clock.now(), today: session.context.today, zone: session.zone, marksCoordinates: false)
    let legend = MapLegend(
      title: title, rows: items.map(rows.row), coordinates: items.compactMap(\.location?.coordinate))
    guard let size = session.mapSize(map, beside: items.count + Self.rowsBesideItems) else {
      return legend.lines(columns: session.context.columns)
    }
    return mapLines(legend, size, in: session)
  }

  /// The scale bar, the gap, the heading and the next prompt.
  private static let rowsBesideItems = 4

  private func mapLines(_ legend: MapLegend, _ size: MapSize, in session: Session) -> [StyledText] {
    let world = session.worldMap
    guard let frame = MapView.frame(of: legend.coordinates, size: size, world: world) else { return [] }
    let symbols = MapSymbols(for: legend.coordinates, in: frame).symbols
    let view = MapView(
      frame: frame, marks: legend.marks(symbols), world: world, labels: session.context.placeLabels)
    return view.lines + [""]
      + legend.lines(symbols, columns: session.context.columns)
  }

  private var title: String {
    switch section {
    case .all: "All"
    case .todo: "To do"
    case .done: "Done"
    }
  }
}
