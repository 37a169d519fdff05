import ArgumentParser
import ProgramSupport
import ToDoModel

struct GeocodeCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "geocode", abstract: "Find where an address is.", usage: "todo geocode <address> [<options>]",
    discussion: "The best match comes first. Nothing is stored.")

  @Argument(help: "An address or the name of a place; in quotes when it has blanks.")
  var address: String

  @Option(help: ArgumentHelp("How many places to show at most, up to 50.", valueName: "number"))
  var limit = GeocodeQuery.defaultLimit

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Of places that match equally well, show those near here first: 52.52,13.405.", valueName: "lat,lon"),
    transform: Coordinate.init(argument:))
  var near: Coordinate?

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.withService { service in
      let result = try await service.geocode(GeocodeQuery(address: address, bias: near, limit: limit))
      if session.options.json {
        try session.print(JSONValue(result, from: near).indentedText)
      } else if session.options.quiet {
        try session.printLines(result.candidates.map(\.coordinate.text))
      } else {
        let layout = CandidateLayout(candidates: result.candidates, origin: near)
        try session.printLines(layout.lines(session.palette) + session.credit(result.attribution))
      }
      guard !result.candidates.isEmpty else {
        session.tell("No place matches '\(address.escapingControls())'.")
        throw ExitStatus.notFound
      }
    }
  }
}

extension Session {
  /// The line that says whom to credit for geographic data, if anybody.
  func credit(_ attribution: String) -> [String] {
    attribution.isEmpty ? [] : [palette.faint("Places: \(attribution.escapingControls())")]
  }
}

extension JSONValue {
  fileprivate init(_ result: GeocodeResult, from origin: Coordinate?) {
    let candidates = result.candidates.map { candidate in
      JSONValue.object([
        Member("name", .string(candidate.displayName)),
        Member("latitude", .number(candidate.coordinate.latitude)),
        Member("longitude", .number(candidate.coordinate.longitude)),
        Member("granularity", .string(candidate.granularity.rawValue)),
        Member("source", .string(candidate.source)),
        Member("distanceMeters", .optional(origin?.distance(to: candidate.coordinate))),
      ])
    }
    self = .object([
      Member("candidates", .array(candidates)), Member("attribution", .string(result.attribution)),
    ])
  }
}
