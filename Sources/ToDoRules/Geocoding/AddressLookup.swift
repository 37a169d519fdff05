import ToDoModel

/// What a geocoder said about an address.
struct AddressLookup: Sendable {
  enum Outcome: Sendable {
    case found(GeocodeCandidate)
    case noMatch
    case failed(GeocoderError)
  }

  let address: String
  let outcome: Outcome

  /// - Parameter owner: the owner of the list that the address is looked up for.
  /// - Throws: `CancellationError`.
  init(of address: String, for owner: OwnerID, by geocoder: any Geocoder) async throws {
    self.address = address
    do {
      let candidates = try await geocoder.candidates(for: GeocodeQuery(address: address, limit: 1, owner: owner))
      outcome = candidates.first.map(Outcome.found) ?? .noMatch
    } catch let error as GeocoderError {
      outcome = .failed(error)
    }
  }

  /// Refuses to save without a coordinate.
  ///
  /// - Throws: `ToDoError.addressNotFound`, `ToDoError.geocoderUnavailable`.
  func demandCoordinate(at path: String) throws {
    switch outcome {
    case .found: break
    case .noMatch:
      throw ToDoError.addressNotFound([FieldViolation("\(path).location.address", "is not known to the geocoder")])
    case .failed(let error): throw ToDoError.geocoderUnavailable(detail: error.description)
    }
  }
}

extension ItemContent {
  /// The content with the coordinate that was found, unless it has one or another address.
  func applying(_ lookup: AddressLookup?) -> ItemContent {
    guard let lookup, case .found(let candidate) = lookup.outcome, location?.addressToLookUp == lookup.address else {
      return self
    }
    var content = self
    content.location?.coordinate = candidate.coordinate
    content.location?.provenance = Location.Provenance(source: candidate.source, granularity: candidate.granularity)
    return content
  }
}

extension PendingLookup {
  /// The first attempt after the one that has just failed; `nil` when another attempt would not help.
  init?(after lookup: AddressLookup?, of item: ToDoItem, owner: OwnerID, at now: Timestamp) {
    guard let lookup, case .failed = lookup.outcome, item.location?.addressToLookUp == lookup.address else {
      return nil
    }
    self.init(
      owner: owner, item: item.id, address: lookup.address, attempts: 1,
      due: LookupRetries.due(afterAttempts: 1, at: now))
  }
}
