import ToDoModel

/// The result of looking up one address.
struct AddressLookup: Sendable {
  enum Outcome: Sendable {
    case found(GeocodeCandidate)
    /// The best candidate is a guess, which is not stored.
    case guess(GeocodeCandidate)
    case noMatch
    case failed(GeocoderError)
  }

  let address: String
  let outcome: Outcome

  /// Looks up an address.
  ///
  /// - Parameter owner: the owner of the list that contains the address.
  /// - Throws: `CancellationError`.
  init(of address: String, for owner: OwnerID, by geocoder: any Geocoder) async throws {
    self.address = address
    do {
      let candidates = try await geocoder.candidates(for: GeocodeQuery(address: address, limit: 1, owner: owner))
      outcome = candidates.first.map { $0.isGuess ? .guess($0) : .found($0) } ?? .noMatch
    } catch let error as GeocoderError {
      outcome = .failed(error)
    }
  }

  /// Requires that the lookup found a coordinate.
  ///
  /// - Throws: `ToDoError.addressNotFound`, `ToDoError.geocoderUnavailable`.
  func requireCoordinate(at path: String) throws {
    switch outcome {
    case .found: break
    case .noMatch:
      throw ToDoError.addressNotFound([FieldViolation("\(path).location.address", "was not found by the geocoder")])
    case .guess(let candidate):
      let reason = "was not found by the geocoder, whose closest match, \(candidate.displayName), is only a guess"
      throw ToDoError.addressNotFound([FieldViolation("\(path).location.address", reason)])
    case .failed(let error): throw ToDoError.geocoderUnavailable(detail: error.description)
    }
  }
}

extension ItemContent {
  /// Returns the content with the coordinate that was found. If the content has a coordinate or another address,
  /// returns it unchanged.
  func applying(_ lookup: AddressLookup?) -> ItemContent {
    guard let lookup, case .found(let candidate) = lookup.outcome, location?.addressToLookUp == lookup.address else {
      return self
    }
    var content = self
    content.location?.coordinate = candidate.coordinate
    content.location?.provenance = Location.Provenance(of: candidate)
    return content
  }
}

extension PendingLookup {
  /// Creates the retry of a failed lookup, or returns `nil` if a retry would not help.
  init?(after lookup: AddressLookup?, of item: ToDoItem, owner: OwnerID, at now: Timestamp) {
    guard let lookup, case .failed = lookup.outcome, item.location?.addressToLookUp == lookup.address else {
      return nil
    }
    self.init(
      owner: owner, item: item.id, address: lookup.address, attempts: 1,
      due: LookupRetries.due(afterAttempts: 1, at: now))
  }
}
