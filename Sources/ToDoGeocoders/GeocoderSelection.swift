/// Which geocoders to ask, in which order.
///
///     selection = "none" | geocoder { "," geocoder }
///     geocoder  = "gazetteer" | "nominatim:" URL | "simulated" [ ":" option { "," option } ]
///     option    = "latency=" duration | "fail=" part | "seed=" number | "mode=" mode
///     duration  = number ( "ms" | "s" )
///     mode      = "normal" | "unavailable" | "not-permitted" | "slow"
///
/// A comma separates options as it does geocoders: what begins with a name and "=" belongs to the simulated geocoder
/// before it. Within a URL a comma is written %2C. Each kind may occur once, but for servers.
package struct GeocoderSelection: Equatable, Sendable {
  package enum Choice: Equatable, Sendable {
    case gazetteer
    case nominatim(NominatimURL)
    case simulated(SimulatedGeocoder.Options)
  }

  /// The first is asked first; empty for "none".
  package let choices: [Choice]

  package init(_ choices: [Choice]) {
    self.choices = choices
  }

  /// - Throws: `GeocoderSelectionError`, which says what is wrong.
  package init(_ text: String) throws(GeocoderSelectionError) {
    guard text.trimmingWhitespace != "none" else {
      self.init([])
      return
    }
    var choices: [Choice] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false).map({ String($0.trimmingWhitespace) }) {
      if let (name, value) = Self.parseOption(part) {
        guard case .simulated(var options)? = choices.last else {
          throw GeocoderSelectionError("'\(part)' belongs behind 'simulated:'")
        }
        try options.set(name, to: value)
        choices[choices.count - 1] = .simulated(options)
      } else {
        try Self.append(try Self.parseChoice(part), to: &choices)
      }
    }
    self.init(choices)
  }

  /// The name and the value of an option.
  private static func parseOption(_ part: String) -> (name: String, value: String)? {
    guard let mark = part.firstIndex(where: { $0 == "=" || $0 == ":" }), part[mark] == "=" else { return nil }
    return (String(part[..<mark]), String(part[part.index(after: mark)...]))
  }

  private static func parseChoice(_ part: String) throws(GeocoderSelectionError) -> Choice {
    let mark = part.firstIndex(of: ":") ?? part.endIndex
    let rest = part[mark...].dropFirst()
    switch part[..<mark] {
    case "gazetteer" where mark == part.endIndex: return .gazetteer
    case "nominatim":
      guard let url = NominatimURL(String(rest)) else {
        throw GeocoderSelectionError(
          "'\(part)' needs the server's URL, as in 'nominatim:https://nominatim.example.org'")
      }
      return .nominatim(url)
    case "simulated":
      var options = SimulatedGeocoder.Options()
      if mark != part.endIndex {
        guard let (name, value) = parseOption(String(rest)) else {
          throw GeocoderSelectionError("'\(part)' has no option behind ':', as in 'simulated:latency=20ms'")
        }
        try options.set(name, to: value)
      }
      return .simulated(options)
    case "none": throw GeocoderSelectionError("'none' excludes all others")
    default:
      throw GeocoderSelectionError(
        "'\(part)' is not a geocoder; there are gazetteer, nominatim:URL, simulated:OPTIONS and none")
    }
  }

  private static func append(_ choice: Choice, to choices: inout [Choice]) throws(GeocoderSelectionError) {
    let isDuplicate = choices.contains { other in
      switch (choice, other) {
      case (.gazetteer, .gazetteer), (.simulated, .simulated): true
      case (.nominatim(let url), .nominatim(let otherURL)): url == otherURL
      default: false
      }
    }
    guard !isDuplicate else { throw GeocoderSelectionError("'\(choice.name)' is there twice") }
    choices.append(choice)
  }
}

/// What is wrong with the text of a selection.
package struct GeocoderSelectionError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension GeocoderSelection.Choice {
  fileprivate var name: String {
    switch self {
    case .gazetteer: "gazetteer"
    case .nominatim(let url): "nominatim:\(url)"
    case .simulated: "simulated"
    }
  }
}
