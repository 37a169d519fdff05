import ToDoModel
import ToDoRPC
import ToDoText

/// Finds the place that an address means, before an item with that address is saved. If several places match equally
/// well, uses the nearest to a place, or prompts for one of them. A place that is only a guess is confirmed.
struct AddressMatcher {
  private let session: Session
  private let service: any ToDoService
  private let near: String?
  private let takesFirst: Bool

  /// - Parameters:
  ///   - near: the place whose nearest match is used, or `nil` to use `TODO_PLACE` for equal matches.
  ///   - takesFirst: whether to use the first of equal matches, as `--yes` does.
  init(_ session: Session, _ service: any ToDoService, near: UserText? = nil, takesFirst: Bool = false) {
    self.session = session
    self.service = service
    self.near = near?.text
    self.takesFirst = takesFirst || session.options.yes
  }

  /// Returns the place that an address means, or `nil` if no place is found. The request that saves the item then
  /// reports the reason.
  ///
  /// - Throws: `Failure` with the status `usage` if the user must choose or confirm a place, and cannot be asked; with `notFound`
  ///   if the place of `--near` is unknown; `ExitStatus.failure` if the user chooses none; any error of the service.
  func match(_ address: String?) async throws -> AddressMatch? {
    guard let address else { return nil }
    let found = try await candidates(for: address)
    guard !found.isEmpty else { return nil }
    return AddressMatch(address: address, place: try await choose(found, for: address))
  }

  /// Returns the candidates for an address, the best first. Returns none if the service cannot geocode the address.
  func candidates(for address: String, near center: Coordinate? = nil) async throws -> [GeocodeCandidate] {
    do {
      return try await service.geocodeMarkingGuesses(
        GeocodeQuery(address: address, bias: center, limit: Self.limit), in: session.context
      ).candidates
    } catch ToDoError.geocoderUnavailable, ToDoError.invalidRequest {
      return []
    } catch let error as RPCError where error.code == .unimplemented {
      return []
    }
  }

  private static let limit = 10

  /// Returns one of the candidates; there is at least one.
  private func choose(_ found: [GeocodeCandidate], for address: String) async throws -> GeocodeCandidate {
    if let near {
      // '--near' means the nearest of all places with the name, large or small.
      let origin = try await center(near)
      let biased = try await candidates(for: address, near: origin)
      let matches = EqualMatches(address, biased.isEmpty ? found : biased).candidates
      return matches.nearest(to: origin) ?? found[0]
    }
    guard !takesFirst else { return found[0] }
    if found[0].isGuess {
      let matches = EqualMatches(address, found, population: population).candidates
      return try promptForOne(of: matches, address, isGuess: true)
    }
    let matches = try await equalMatches(found, for: address)
    return matches.count > 1 ? try promptForOne(of: matches, address) : matches.first ?? found[0]
  }

  /// Returns the candidates that match as well as the first one, or the nearest of them to `TODO_PLACE`.
  private func equalMatches(_ found: [GeocodeCandidate], for address: String) async throws -> [GeocodeCandidate] {
    let matches = EqualMatches(address, found, population: population).candidates
    guard matches.count > 1, let origin = try await defaultCenter() else { return matches }
    return matches.nearest(to: origin).map { [$0] } ?? matches
  }

  /// Returns the places that a place in a sentence can mean as an address, or none if it is only a name. A match that is not
  /// spelled like the text counts only if the text looks like an address, so that "Bank" is not the village of Bānk. `--near`,
  /// `--first` and `--yes` choose one.
  ///
  /// - Throws: `Failure` with the status `notFound` if the place of `--near` is unknown; any error of the service.
  func matches(ofPlace place: String) async throws -> [AddressMatch] {
    let found = try await candidates(for: place)
    guard let first = found.first, !first.isGuess,
      place.contains(where: { $0 == "," || $0.isNumber })
        || first.displayName.lowercased().hasPrefix(place.lowercased())
    else { return [] }
    let isChosen = near != nil || takesFirst
    let places = isChosen ? [try await choose(found, for: place)] : try await equalMatches(found, for: place)
    return places.map { AddressMatch(address: place, place: $0) }
  }

  /// Prompts for one of several matches, or returns `nil` if the user chooses only the name, or the session can't prompt.
  func choose(_ matches: [AddressMatch], orOnlyNameOf place: String) throws -> AddressMatch? {
    guard session.canPrompt else { return nil }
    var failure = Failure.ambiguousAddress(place, matches.map(\.place))
    let last = String(matches.count + 1)
    failure.details.append("\(last)  only the name, without a place on the map")
    let choices: [(number: String, value: AddressMatch?)] = matches.enumerated().map {
      (String($0.offset + 1), $0.element)
    }
    return try session.choose(failure, from: choices + [(last, nil)])
  }

  private func center(_ text: String) async throws -> Coordinate {
    var finder = PlaceFinder(session, service)
    return try await finder.place(text).coordinate
  }

  /// Returns the coordinate of the place in the environment, or `nil` if it is not set or unknown.
  private func defaultCenter() async throws -> Coordinate? {
    guard let text = session.context.environment("TODO_PLACE") else { return nil }
    do {
      return try await center(text)
    } catch let failure as Failure where failure.code == .notFound {
      return nil
    }
  }

  /// Returns the population of the town at a coordinate according to the built-in gazetteer, or 0.
  private func population(at coordinate: Coordinate) -> Int {
    let towns = session.context.placeLabels.places(near: coordinate, within: 3, limit: 50)
    let nearest = towns.min { $0.coordinate.distance(to: coordinate) < $1.coordinate.distance(to: coordinate) }
    return nearest?.population ?? 0
  }

  /// States that the matches of an address are guesses.
  static func uncertainty(of address: String) -> String {
    "'\(address.escapingControls())' is not the name of a place on the map; the closest match is not certain"
  }

  private func promptForOne(
    of places: [GeocodeCandidate], _ address: String, isGuess: Bool = false
  ) throws -> GeocodeCandidate {
    var failure = Failure.ambiguousAddress(address, places)
    if isGuess {
      failure.reason = "UNCERTAIN_ADDRESS"
      failure.message = Self.uncertainty(of: address)
    }
    guard session.canPrompt else {
      failure.details.append(
        isGuess
          ? "Use '--first' to accept it, '--place' for a place without a coordinate, or a longer address."
          : "Use '--first' for the first, '--near' for the nearest to a place, or a longer address.")
      throw failure
    }
    return try session.choose(failure, from: places.enumerated().map { (String($0.offset + 1), $0.element) })
  }
}

extension [GeocodeCandidate] {
  fileprivate func nearest(to center: Coordinate) -> GeocodeCandidate? {
    self.min { $0.coordinate.distance(to: center) < $1.coordinate.distance(to: center) }
  }
}

extension Failure {
  /// Several places match an address.
  fileprivate static func ambiguousAddress(_ address: String, _ places: [GeocodeCandidate]) -> Failure {
    let width = String(places.count).count
    let lines = places.enumerated().map { index, place in
      String(index + 1).padded(toLeftWidth: width) + "  " + place.displayName.escapingControls()
    }
    var failure = usage(
      "'\(address.escapingControls())' matches \(places.count) places", reason: "AMBIGUOUS_ADDRESS", details: lines)
    failure.places = places
    return failure
  }
}

extension Session {
  /// Prints the place that was found for the address of a saved item.
  func printMatch(_ match: AddressMatch?, of item: ToDoItem) {
    if let text = match?.text(for: item.location) { printNotice(text) }
  }
}
