import ToDoModel

extension ToDoService {
  /// Geocodes an address, as `geocode(_:)` does.
  ///
  /// Candidates of an earlier service, which doesn't say which ones are guesses, count as guesses unless the name of the first one
  /// contains every word of the address.
  func geocodeMarkingGuesses(_ query: GeocodeQuery) async throws -> GeocodeResult {
    var result = try await geocode(query)
    guard let first = result.candidates.first, !first.isGuess, !first.contains(wordsOf: query.address),
      try await !info().capabilities.contains(.markGuesses)
    else { return result }
    for index in result.candidates.indices { result.candidates[index].isGuess = true }
    return result
  }
}

extension GeocodeCandidate {
  fileprivate func contains(wordsOf address: String) -> Bool {
    EqualMatches.words(of: address).isSubset(of: EqualMatches.words(of: displayName))
  }
}
