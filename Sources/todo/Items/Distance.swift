import ArgumentParser

/// A distance as users write it: `500m`, `3km`, `1.5 mi`.
struct Distance: Equatable, Sendable {
  let meters: Double
}

extension Distance {
  private static let units: [(name: String, meters: Double)] = [("km", 1_000), ("mi", 1_609.344), ("m", 1)]

  /// Parses a number greater than 0 with a unit.
  ///
  /// - Throws: `ValidationError`.
  init(argument: String) throws {
    let text = argument.lowercased().filter { !$0.isWhitespace }
    guard let unit = Self.units.first(where: { text.hasSuffix($0.name) }),
      let number = Double(text.dropLast(unit.name.count)), number > 0, number.isFinite
    else { throw ValidationError("not a distance; write a number and a unit, such as 500m, 3km or 2mi") }
    meters = number * unit.meters
  }
}
