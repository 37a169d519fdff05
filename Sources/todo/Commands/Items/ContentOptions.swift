import ArgumentParser
import ToDoModel

/// The parts of an item besides its title, as `add` and `edit` take them.
struct ContentOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "When it is due: 'tomorrow 17:00', fri, 'next mon', +3d, 'in 2 hours', 2026-05-01, ...", valueName: "when"))
  var due: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("More about it.", valueName: "text"))
  var note: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("What the place is called.", valueName: "name"))
  var place: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("The place's postal address.", valueName: "address"))
  var address: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where the place is, in degrees north and east, as in 52.52,13.405.", valueName: "lat,lon"),
    transform: Coordinate.init(argument:))
  var at: Coordinate?

  var location: Location? {
    let location = Location(name: place, address: address, coordinate: at)
    return location.isEmpty ? nil : location
  }
}

extension Coordinate {
  /// Reads `LAT,LON`.
  init(argument: String) throws {
    let degrees = argument.split(separator: ",", omittingEmptySubsequences: false).map(Self.degrees)
    guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1],
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else {
      throw ValidationError("write latitude,longitude in degrees, as in 52.52,13.405: -90 to 90, then -180 to 180")
    }
    self = coordinate
  }

  private static func degrees(_ text: Substring) -> Double? {
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.count == 1 ? Double(words[0]) : nil
  }
}
