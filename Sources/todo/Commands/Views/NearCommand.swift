import ArgumentParser
import ToDoClient
import ToDoModel
import ToDoText

/// `todo near`
struct NearCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "near",
    abstract: "List incomplete items near a place, nearest first.",
    usage: "todo near [<place>] [<options>]",
    discussion: """
      Without <place>, uses the environment variable TODO_PLACE. If only an item's town or region is known, \
      and <place> is inside, its radius counts as the distance ("< 5 km"), and the item comes first, because it may be that \
      near. With '--within', it must be certain that an item is near enough. The other items, and those without a coordinate, \
      are counted, not listed.

      With '--plain', the fields of a line are those of 'todo list --plain', and the distance in meters.
      """)

  @Argument(
    parsing: .remaining,
    help: ArgumentHelp(
      "A place or address, a coordinate such as 52.52,13.405, the name of a place in the list, or the number of an item. (default: $TODO_PLACE)",
      valueName: "place"))
  var place: [UserText] = []

  @Option(
    help: ArgumentHelp("The maximum distance, such as 500m, 3km or 2mi. (default: unlimited)", valueName: "distance"),
    transform: Distance.init(argument:))
  var within: Distance?

  @Option(help: ArgumentHelp("The maximum number of items to list.", valueName: "number"))
  var limit = 20

  @OptionGroup var format: PlainOptions

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try format.validate(with: global)
    guard limit > 0 else { throw ValidationError("'--limit' must be at least 1") }
  }

  func run(in session: Session) async throws {
    guard
      let text = place.isEmpty ? session.context.environment("TODO_PLACE") : place.map(\.text).joined(separator: " ")
    else {
      throw Failure.usage("no place specified; pass one as an argument or set TODO_PLACE")
    }
    try await session.withService { service in
      var finder = PlaceFinder(session, service)
      let center = try await finder.place(text)
      let (items, vagueCount) = try await service.nearbyItems(
        from: center.coordinate, within: within?.meters, limit: limit)
      if session.options.json {
        try session.print(json(center, items).indentedText)
      } else if session.options.quiet {
        try session.printLines(items.map(\.item.id.description))
      } else if format.plain {
        try session.printLines(items.map { $0.item.plainLine($0.distance.metersText) })
      } else {
        try session.printLines(
          lines(center, items, in: session) + session.attributionLines(center.attribution))
        printVagueCount(vagueCount, in: session)
        try await printUnlocatedCount(of: service, in: session)
      }
    }
  }

  private func lines(
    _ center: PlaceFinder.Place, _ items: [NearbyItem], in session: Session
  ) -> [StyledText] {
    guard !items.isEmpty else {
      session.printNotice("No incomplete items near \(center.name.escapingControls()).")
      return []
    }
    let rows = ListRows(
      now: session.clock.now(), today: session.context.today, zone: session.zone, marksCoordinates: false)
    let section = ListLayout.Section(
      title: "Near \(center.name.escapingControls())",
      rows: items.map { nearby in
        var row = rows.row(nearby.item)
        row.distance = nearby.itemDistance.text
        return row
      })
    return ListLayout(sections: [section], columns: session.context.columns).lines
  }

  private func printVagueCount(_ count: Int, in session: Session) {
    guard count > 0 else { return }
    session.printNotice(
      count == 1
        ? "1 item may be farther away, because only its town or region is known."
        : "\(count) items may be farther away, because only their town or region is known.")
  }

  private func printUnlocatedCount(of service: any ToDoService, in session: Session) async throws {
    let items = try await service.allItems(ItemQuery(state: .toDo)).items
    let count = items.count { $0.location?.coordinate == nil }
    if count > 0 { session.printNotice("\(count) incomplete \(count == 1 ? "item has" : "items have") no coordinate.") }
  }

  private func json(_ center: PlaceFinder.Place, _ items: [NearbyItem]) -> JSONValue {
    .object([
      .init("place", .string(center.name)),
      .init("latitude", .number(center.coordinate.latitude)),
      .init("longitude", .number(center.coordinate.longitude)),
      .init(
        "items",
        .array(
          items.map { .object([.init("distanceMeters", .number($0.distance)), .init("item", JSONValue($0.item))]) })),
      .init("attribution", .string(center.attribution)),
    ])
  }
}

extension ToDoService {
  /// Returns the nearest items by their lower bounds, reading as many pages as necessary, and the number of items that may be
  /// farther than the radius, because only their town or region is known.
  ///
  /// - Throws: `RPCError` if the pages have no end, and any error of the service.
  fileprivate func nearbyItems(
    from center: Coordinate, within radius: Double?, limit: Int
  ) async throws -> (items: [NearbyItem], vagueCount: Int) {
    var (items, vagueCount) = ([NearbyItem](), 0)
    var pages = PageSequence()
    var query = NearbyQuery(center: center, radius: radius, pageSize: ItemQuery.Limits.pageSize)
    while true {
      let page = try await nearbyItems(query)
      try pages.add(page.items.lazy.map(\.item), nextPageToken: page.nextPageToken)
      let near = page.items.filter { item in radius.map(item.itemDistance.isWithin) ?? true }
      items += near
      vagueCount += page.items.count - near.count
      // Beyond the largest radius, no item has a smaller lower bound.
      let isComplete = items.count >= limit && (items.last?.distance ?? 0) >= ItemDistance.largestRadius
      guard !isComplete, let token = page.nextPageToken else { break }
      query.pageToken = token
    }
    let ranked = items.enumerated().sorted {
      ($0.element.itemDistance.lowerBound, $0.offset) < ($1.element.itemDistance.lowerBound, $1.offset)
    }
    return (ranked.prefix(limit).map(\.element), vagueCount)
  }
}

extension NearbyItem {
  fileprivate var itemDistance: ItemDistance { ItemDistance(of: item, meters: distance) }
}
