import ArgumentParser
import ToDoModel
import ToDoSupport
import ToDoText

/// `todo geocode`
struct GeocodeCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "geocode", abstract: "Find the coordinates of an address, or the town at a coordinate.",
    usage: "todo geocode <address> [<options>]",
    discussion: "Prints the best match first. Stores nothing.")

  @Argument(help: "An address, the name of a place or a coordinate, in quotes if it contains spaces.")
  var address: UserText

  @Option(help: ArgumentHelp("The maximum number of places to show, at most 50.", valueName: "number"))
  var limit = GeocodeQuery.defaultLimit

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A coordinate, such as 52.52,13.405. Of equally good matches, the nearest to it come first. (default: none)",
      valueName: "lat,lon"),
    transform: Coordinate.init(argument:))
  var near: Coordinate?

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.withConnection(selectingList: false) { connection in
      let service = connection.service
      let coordinate = try? Coordinate(argument: address.text)
      let near = near ?? coordinate
      let result =
        if let coordinate {
          try await service.nearestTowns(to: coordinate, limit: limit, session.context.placeLabels)
        } else {
          try await service.geocodeMarkingGuesses(
            GeocodeQuery(address: address.text, bias: near, limit: limit), in: session.context)
        }
      if session.options.json {
        try session.print(JSONValue(result, from: near).indentedText)
      } else if session.options.quiet {
        try session.printLines(result.candidates.map(\.coordinate.text))
      } else if !result.candidates.isEmpty {
        let layout = CandidateLayout(candidates: result.candidates, origin: near)
        try session.printLines(layout.lines + session.attributionLines(result.attribution))
      }
      if result.candidates.first?.isGuess == true, coordinate == nil {
        session.printNotice(AddressMatcher.uncertainty(of: address.text) + ".")
      }
      guard !result.candidates.isEmpty else {
        session.printNotice(
          coordinate == nil
            ? "No place matches '\(address.text.escapingControls())'."
            : "No town is within \(Int(PlaceLabel.townRadius)) km of \(address.text.escapingControls()).")
        throw ExitStatus.notFound
      }
    }
  }
}

extension ToDoService {
  /// Returns the nearby places with the nearest town's name, the nearest first.
  ///
  /// A geocoder has no lookup of coordinates, so the name comes from this program's gazetteer.
  fileprivate func nearestTowns(
    to center: Coordinate, limit: Int, _ labels: any PlaceLabels
  ) async throws -> GeocodeResult {
    let distance = { (coordinate: Coordinate) in coordinate.distance(to: center) }
    guard let town = labels.nearestTown(to: center) else {
      return GeocodeResult(candidates: [], attribution: "")
    }
    let query = GeocodeQuery(address: town.name, bias: center, limit: GeocodeQuery.limits.upperBound)
    var result = try await geocode(query)
    result.candidates = Array(
      result.candidates.filter { distance($0.coordinate) <= PlaceLabel.townRadius * 1000 }
        .sorted { distance($0.coordinate) < distance($1.coordinate) }.prefix(limit))
    return result
  }
}

extension Session {
  /// Returns the line that attributes geographic data, or nothing if no attribution is required.
  func attributionLines(_ attribution: String) -> [StyledText] {
    attribution.isEmpty ? [] : [StyledText("Places: \(attribution.escapingControls())", .faint)]
  }
}

extension JSONValue {
  fileprivate init(_ result: GeocodeResult, from origin: Coordinate?) {
    self = .object([
      Member("candidates", .array(result.candidates.map { JSONValue($0, from: origin) })),
      Member("attribution", .string(result.attribution)),
    ])
  }
}
