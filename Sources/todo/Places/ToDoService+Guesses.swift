import ToDoModel
import ToDoRules

extension ToDoService {
  /// Geocodes an address, as `geocode(_:)` does.
  ///
  /// An earlier service doesn't say which candidates are guesses. All its candidates count as guesses then, unless the first one's
  /// name contains every word of the address, or this machine's gazetteer is certain that the address is there.
  func geocodeMarkingGuesses(_ query: GeocodeQuery, in context: CommandContext) async throws -> GeocodeResult {
    var result = try await geocode(query)
    guard let first = result.candidates.first, !first.isGuess, !first.contains(wordsOf: query.address),
      (try? await info())?.capabilities.contains(.markGuesses) != true,
      await !first.isCertain(for: query, context.gazetteer())
    else { return result }
    for index in result.candidates.indices { result.candidates[index].isGuess = true }
    return result
  }
}

extension GeocodeCandidate {
  fileprivate func contains(wordsOf address: String) -> Bool {
    TitleWords(displayName).hasWords(of: TitleWords(address))
  }

  /// Returns whether a geocoder is certain that the address is here.
  fileprivate func isCertain(for query: GeocodeQuery, _ geocoder: (any Geocoder)?) async -> Bool {
    let query = GeocodeQuery(address: query.address, bias: query.bias, limit: 10)
    let known = try? await geocoder?.candidates(for: query)
    return known?.contains {
      !$0.isGuess && $0.coordinate.distance(to: coordinate) <= EqualMatches.minimumDistance
    } ?? false
  }
}
