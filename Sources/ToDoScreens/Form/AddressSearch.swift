import ToDoModel
import ToDoText

/// The search for the places that a typed address can mean, and the choice among them.
struct AddressSearch: Equatable, Sendable {
  enum State: Equatable, Sendable {
    case idle
    /// The user is typing.
    case waiting
    case searching(GeocodeQuery)
    case found(GeocodeResult)
    /// The search failed, for the reason in the message.
    case failed(String)
  }

  private(set) var state = State.idle
  /// The index of the candidate under the selection, which Enter takes.
  private(set) var highlighted: Int?
  /// The index of the candidate that the user has taken.
  private(set) var taken: Int?
  /// Whether the first candidate is a guess.
  private var isFirstGuess = false

  /// The time without a key after which the search begins.
  static let pause = Duration.milliseconds(300)
  /// The maximum number of candidates.
  static let limit = 5

  var candidates: [GeocodeCandidate] {
    if case .found(let result) = state { result.candidates } else { [] }
  }

  /// Whether the candidates are not known yet.
  var isPending: Bool {
    switch state {
    case .waiting, .searching: true
    case .idle, .found, .failed: false
    }
  }

  /// The candidate that the service would use, although it is a guess.
  var guess: GeocodeCandidate? { isFirstGuess && taken == nil ? candidates.first : nil }

  /// The candidate to show: the one under the selection, or else the one taken, or else the first.
  var shownCandidate: GeocodeCandidate? {
    let candidates = candidates
    let index = highlighted ?? taken ?? 0
    return candidates.indices.contains(index) ? candidates[index] : nil
  }

  /// Returns the place of an address that the user has taken, or `nil` to leave it to the service.
  func match(for address: String) -> AddressMatch? {
    let candidates = candidates
    guard let taken, candidates.indices.contains(taken) else { return nil }
    return AddressMatch(address: address, place: candidates[taken])
  }

  /// Starts again after the address has changed.
  ///
  /// - Parameter isNeeded: whether the service will look up the address.
  mutating func restart(isNeeded: Bool) -> [Effect] {
    guard isNeeded else { return stop() }
    let isSearching = if case .searching = state { true } else { false }
    self = AddressSearch()
    state = .waiting
    return (isSearching ? [.cancelGeocoding] : []) + [.startTimer(.addressTyped, Self.pause)]
  }

  /// Ends the search and discards the candidates.
  mutating func stop() -> [Effect] {
    let effects: [Effect] =
      switch state {
      case .waiting: [.cancelTimer(.addressTyped)]
      case .searching: [.cancelGeocoding]
      case .idle, .found, .failed: []
      }
    self = AddressSearch()
    return effects
  }

  /// Begins the search after a pause.
  mutating func pauseEnded(_ address: String, _ link: ServiceLink) -> [Effect] {
    guard state == .waiting else { return [] }
    guard link.isUsable else {
      state = .failed("the server is unreachable")
      return []
    }
    let query = GeocodeQuery(address: address, limit: Self.limit)
    state = .searching(query)
    return [.geocode(query)]
  }

  /// Receives a result, unless it belongs to an earlier search.
  mutating func receive(_ query: GeocodeQuery, _ result: Result<GeocodeResult, EffectFailure>, isGuess: Bool) {
    guard state == .searching(query) else { return }
    isFirstGuess = isGuess
    switch result {
    case .success(var places):
      places.candidates = Array(places.candidates.prefix(Self.limit))
      state = .found(places)
    case .failure(let failure): state = .failed(failure.message)
    }
  }

  /// Moves the selection down or up. Above the first candidate, none is selected.
  ///
  /// - Returns: whether the selection has moved.
  mutating func moveHighlight(by step: Int) -> Bool {
    let index = (highlighted ?? -1) + step
    guard index >= -1, index < candidates.count, index != highlighted ?? -1 else { return false }
    highlighted = index < 0 ? nil : index
    return true
  }

  /// Ends the selection.
  mutating func clearHighlight() { highlighted = nil }

  /// Takes the candidate under the selection.
  ///
  /// - Returns: whether there is one.
  mutating func takeHighlighted() -> Bool {
    guard let highlighted else { return false }
    (taken, self.highlighted) = (highlighted, nil)
    return true
  }

  /// Takes a candidate.
  mutating func take(_ index: Int) {
    if candidates.indices.contains(index) { (taken, highlighted) = (index, nil) }
  }
}
