import ToDoModel
import ToDoRPC
import ToDoText

/// Finds a place that is specified by a coordinate, an item, or a name in the list or of the geocoder.
struct PlaceFinder {
  /// A place and its attribution.
  struct Place: Equatable {
    var name: String
    var coordinate: Coordinate
    /// The attribution to display with the place. Empty if none is required.
    var attribution = ""
  }

  private let session: Session
  private let service: any ToDoService
  private var resolver: ItemResolver

  init(_ session: Session, _ service: any ToDoService) {
    (self.session, self.service) = (session, service)
    resolver = ItemResolver(session, service)
  }

  /// Returns the place that a text specifies.
  ///
  /// - Throws: `Failure` with the status `notFound` if no place matches or the item has no coordinate; any error of the
  ///   service.
  mutating func place(_ text: String) async throws -> Place {
    if let known = try await knownPlace(text) { return known }
    let result = try await service.geocodeMarkingGuesses(GeocodeQuery(address: text, limit: 1), in: session.context)
    guard let candidate = result.candidates.first else {
      throw Failure(
        code: .notFound, reason: "ADDRESS_NOT_FOUND",
        message: "no place matches '\(text.escapingControls())'; try a nearby town or a coordinate")
    }
    if candidate.isGuess { try confirm(candidate, for: text) }
    return Place(name: candidate.displayName, coordinate: candidate.coordinate, attribution: result.attribution)
  }

  /// Returns the coordinate, or the place of an item, that a text specifies, without asking a geocoder; `nil` if there is none.
  ///
  /// - Throws: `Failure` with the status `notFound` if the item has no coordinate, or `usage` if a coordinate is out of range; any
  ///   error of the service.
  mutating func knownPlace(_ text: String) async throws -> Place? {
    if let coordinate = try? Coordinate(argument: text) { return Place(name: coordinate.text, coordinate: coordinate) }
    if let item = try await item(text) {
      guard let coordinate = item.location?.coordinate else {
        throw Failure(
          code: .notFound, reason: "NO_COORDINATE",
          message:
            "the item '\(item.title.escapingControls())' has no coordinate; set one with 'todo edit \(item.shortReference) --at' or '--address'"
        )
      }
      return Place(name: item.location?.label ?? item.title, coordinate: coordinate)
    }
    let known = try await service.allItems(ItemQuery(text: text, order: .updated)).items.compactMap(\.location)
    guard let location = known.first(where: { $0.isNamed(text) && $0.coordinate != nil }),
      let coordinate = location.coordinate
    else {
      try Self.checkRange(of: text)
      return nil
    }
    return Place(name: location.label, coordinate: coordinate)
  }

  /// Checks that a text is not a coordinate outside the earth.
  ///
  /// - Throws: `Failure` with the status `usage`.
  private static func checkRange(of text: String) throws(Failure) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double(String($0).trimmed) }
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return }
    for (name, value, range) in [
      ("latitude", latitude, Coordinate.latitudes), ("longitude", longitude, Coordinate.longitudes),
    ] where !range.contains(value) {
      let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
      throw .usage("'\(text.escapingControls())' is no coordinate; the \(name) must lie in \(low)...\(high)")
    }
  }

  /// Asks whether a text means a place that is only a guess. `--yes` agrees.
  ///
  /// - Throws: `Failure` with the status `notFound` unless the user agrees.
  private func confirm(_ candidate: GeocodeCandidate, for text: String) throws {
    if session.options.yes { return }
    let (text, name) = (text.escapingControls(), candidate.displayName.escapingControls())
    if session.canPrompt, try session.confirm("No place is called '\(text)'. Use \(name)?") { return }
    throw Failure(
      code: .notFound, reason: "UNCERTAIN_ADDRESS",
      message: "no place is called '\(text)'; if you mean \(name), write that, or use '--yes'")
  }

  /// Returns the item whose number is the text, or whose ID begins with it, or `nil` if there is none.
  private mutating func item(_ text: String) async throws -> ToDoItem? {
    guard let reference = try? ItemReference.parse([UserText(text)]).first else { return nil }
    do {
      switch reference {
      case .numbers where reference.isSingle: return try await resolver.items(reference).first
      // A shorter text is more likely a name, such as "Ede".
      case .id(let prefix, _) where text.count >= 4:
        let matches = try await resolver.items(prefix)
        return matches.isEmpty ? nil : try resolver.choose(matches, text)[0]
      case .numbers, .id, .title: return nil
      }
    } catch let failure as Failure where failure.code == .notFound {
      return nil
    } catch ToDoError.itemNotFound {
      return nil
    }
  }
}
