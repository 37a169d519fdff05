/// The selected geocoders, in the order in which they are tried.
///
/// A selection is parsed from text with this grammar:
///
///     selection = "none" | geocoder { "," geocoder }
///     geocoder  = "gazetteer" | "nominatim:" URL | "simulated" [ ":" option { "," option } ]
///     option    = "latency=" duration | "fail=" part | "seed=" number | "mode=" mode
///     duration  = number ( "ms" | "s" )
///     mode      = "normal" | "unavailable" | "not-permitted" | "slow"
///
/// A comma separates both geocoders and options. A part with the form `name=value` is an option of the simulated geocoder
/// before it. A comma within a URL must be encoded as `%2C`. Each geocoder may occur only once, except Nominatim servers
/// with different URLs. A build without the trait Nominatim rejects Nominatim servers.
package struct GeocoderSelection: Equatable, Sendable {
  /// A selected geocoder and its options.
  package enum Choice: Equatable, Sendable {
    /// The embedded gazetteer.
    case gazetteer
    #if Nominatim
    /// A Nominatim server.
    case nominatim(NominatimURL)
    #endif
    /// The simulated geocoder.
    case simulated(SimulatedGeocoder.Options)
  }

  /// The geocoders in the order in which they are tried; empty for "none".
  package let choices: [Choice]

  /// Creates a selection from a list of geocoders.
  package init(_ choices: [Choice]) {
    self.choices = choices
  }

  /// Parses a selection.
  ///
  /// - Throws: `GeocoderSelectionError` if the text does not match the grammar.
  package init(_ text: String) throws(GeocoderSelectionError) {
    guard text.trimmingWhitespace != "none" else {
      self.init([])
      return
    }
    var choices: [Choice] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false).map({ String($0.trimmingWhitespace) }) {
      if let (name, value) = Self.parseOption(part) {
        guard case .simulated(var options)? = choices.last else {
          throw GeocoderSelectionError(
            "'\(name)=...' is an option of the simulated geocoder; write it after 'simulated:'")
        }
        try options.set(name, to: value)
        choices[choices.count - 1] = .simulated(options)
      } else {
        try Self.append(try Self.parseChoice(part), to: &choices)
      }
    }
    self.init(choices)
  }

  /// Splits `name=value`; returns `nil` if the part is not an option.
  private static func parseOption(_ part: String) -> (name: String, value: String)? {
    guard let mark = part.firstIndex(where: { $0 == "=" || $0 == ":" }), part[mark] == "=" else { return nil }
    return (String(part[..<mark]), String(part[part.index(after: mark)...]))
  }

  private static func parseChoice(_ part: String) throws(GeocoderSelectionError) -> Choice {
    let mark = part.firstIndex(of: ":") ?? part.endIndex
    let rest = part[mark...].dropFirst()
    switch part[..<mark] {
    case "gazetteer" where mark == part.endIndex: return .gazetteer
    case "nominatim": return try parseNominatim(part, url: String(rest))
    case "simulated":
      var options = SimulatedGeocoder.Options()
      if mark != part.endIndex {
        guard let (name, value) = parseOption(String(rest)) else {
          throw GeocoderSelectionError(
            "'\(part)' requires an option after ':', for example 'simulated:latency=20ms'")
        }
        try options.set(name, to: value)
      }
      return .simulated(options)
    case "none": throw GeocoderSelectionError("'none' cannot be combined with other geocoders; remove it or the others")
    default:
      throw GeocoderSelectionError(
        "unknown geocoder '\(quotable(part))'; valid values are gazetteer, nominatim:URL, simulated:OPTIONS and none")
    }
  }

  /// Returns the part for an error. It contains no URL, which may contain a password.
  private static func quotable(_ part: String) -> String {
    guard part.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "/") }) else { return part }
    return part.hasPrefix("nominatim:") ? "nominatim:..." : "..."
  }

  private static func parseNominatim(_ part: String, url: String) throws(GeocoderSelectionError) -> Choice {
    #if Nominatim
    guard let url = NominatimURL(url) else {
      throw GeocoderSelectionError(
        "'\(quotable(part))' requires the server's URL, for example 'nominatim:https://nominatim.example.org'")
    }
    return .nominatim(url)
    #else
    throw GeocoderSelectionError(
      "'\(quotable(part))' cannot be used: this program was built without Nominatim; build it with the "
        + "default traits, or with '--traits Nominatim'")
    #endif
  }

  private static func append(_ choice: Choice, to choices: inout [Choice]) throws(GeocoderSelectionError) {
    let isDuplicate = choices.contains { other in
      switch (choice, other) {
      case (.gazetteer, .gazetteer), (.simulated, .simulated): true
      #if Nominatim
      case (.nominatim(let url), .nominatim(let otherURL)): url == otherURL
      #endif
      default: false
      }
    }
    guard !isDuplicate else { throw GeocoderSelectionError("'\(choice.name)' is listed twice; list it once") }
    choices.append(choice)
  }
}

/// An error in the text of a geocoder selection.
package struct GeocoderSelectionError: Error, Equatable, CustomStringConvertible {
  /// The reason and the remedy, for the operator.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension GeocoderSelection.Choice {
  fileprivate var name: String {
    switch self {
    case .gazetteer: "gazetteer"
    #if Nominatim
    case .nominatim(let url): "nominatim:\(url)"
    #endif
    case .simulated: "simulated"
    }
  }
}
