import ToDoModel

/// The candidates that match an address as well as the best one does.
///
/// A candidate has no score, so its other fields decide. It matches as well as the first candidate if:
/// - it has the same granularity,
/// - its name contains at least as many words of the address,
/// - it is more than 20 km from every other match, and
/// - if it is a town, it is comparable in size: it has at least half the inhabitants of the first candidate or, if its
///   name contains more words of the address, a twentieth. "Berlin" is the capital, but "Springfield" is ambiguous.
struct EqualMatches: Equatable {
  /// The matches in the order of the geocoder. Contains one element if the address is not ambiguous, and none if there
  /// are no candidates.
  let candidates: [GeocodeCandidate]

  /// Compares the candidates for an address.
  ///
  /// - Parameters:
  ///   - candidates: the candidates, the best first.
  ///   - population: returns the population of the town at a coordinate, or 0 if it is unknown.
  init(_ address: String, _ candidates: [GeocodeCandidate], population: (Coordinate) -> Int = { _ in 0 }) {
    guard let first = candidates.first else {
      self.candidates = []
      return
    }
    let words = Self.words(of: address)
    let firstCount = words.intersection(Self.words(of: first.displayName)).count
    let firstPopulation = population(first.coordinate)
    var matches = [first]
    for candidate in candidates.dropFirst() where candidate.granularity == first.granularity {
      let count = words.intersection(Self.words(of: candidate.displayName)).count
      guard count >= firstCount,
        matches.allSatisfy({ $0.coordinate.distance(to: candidate.coordinate) > Self.minimumDistance })
      else { continue }
      let factor = count > firstCount ? 20 : 2
      guard first.granularity != .locality || population(candidate.coordinate) * factor >= firstPopulation else {
        continue
      }
      matches.append(candidate)
    }
    self.candidates = matches
  }

  /// The minimum distance between two different places, in meters.
  static let minimumDistance = 20_000.0

  /// Returns the words and numbers of a text in lower case.
  private static func words(of text: String) -> Set<String> {
    Set(text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map(String.init))
  }
}
