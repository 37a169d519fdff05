import ArgumentParser
import ProgramSupport
import ToDoModel

/// `todo geocode`
struct GeocodeCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "geocode", abstract: "Find the coordinates of an address.",
    usage: "todo geocode <address> [<options>]",
    discussion: "Prints the best match first. Stores nothing.")

  @Argument(help: "An address or the name of a place, in quotes if it contains spaces.")
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
    try await session.withService { service in
      let result = try await service.geocode(GeocodeQuery(address: address.text, bias: near, limit: limit))
      if session.options.json {
        try session.print(JSONValue(result, from: near).indentedText)
      } else if session.options.quiet {
        try session.printLines(result.candidates.map(\.coordinate.text))
      } else {
        let layout = CandidateLayout(candidates: result.candidates, origin: near)
        try session.printLines(layout.lines(session.palette) + session.attributionLines(result.attribution))
      }
      guard !result.candidates.isEmpty else {
        session.printNotice("No place matches '\(address.text.escapingControls())'.")
        throw ExitStatus.notFound
      }
    }
  }
}

extension Session {
  /// Returns the line that attributes geographic data, or nothing if no attribution is required.
  func attributionLines(_ attribution: String) -> [String] {
    attribution.isEmpty ? [] : [palette.faint("Places: \(attribution.escapingControls())")]
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
