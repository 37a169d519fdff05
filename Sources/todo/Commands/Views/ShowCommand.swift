import ArgumentParser
import ToDoModel
import ToDoText

/// `todo show`
struct ShowCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all fields of an item.", usage: "todo show <item> [<options>]")

  @Argument(help: ArgumentHelp(ItemReference.singleHelp, valueName: "item"))
  var item: [UserText]

  @OptionGroup var map: MapOptions

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.withService { service in
      var resolver = ItemResolver(session, service, words: words)
      let item = try await resolver.item(item)
      let town = item.location?.givenCoordinate.flatMap(session.context.placeLabels.nearestTown)
      if session.options.json {
        try session.print(JSONValue(item, near: town).indentedText)
      } else if session.options.quiet {
        try session.print(item.id.description)
      } else {
        let details = ItemDetails(
          item: item, now: session.clock.now(), today: session.context.today, zone: session.zone,
          repetitionZone: item.repetition.map(session.rules), town: town, map: mapView(of: item, in: session))
        try session.printLines(details.lines)
      }
    }
  }

  private func mapView(of item: ToDoItem, in session: Session) -> MapView? {
    guard let coordinate = item.location?.coordinate, let size = session.mapSize(map) else { return nil }
    return .around(
      MapMark(coordinate: coordinate, symbol: "◉"), size: size, world: session.worldMap,
      labels: session.context.placeLabels)
  }
}
