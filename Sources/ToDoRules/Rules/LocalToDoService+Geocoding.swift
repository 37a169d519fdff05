public import ToDoModel

extension LocalToDoService {
  public func info() async throws -> ServiceInfo {
    var info = ServiceInfo(
      capabilities: Set(ItemFeatures.ofFields.map(\.capability)).union([
        .combineFilters, .excludeFilters, .listChanges, .listNearbyItems, .renameTags, .revertChanges, .watchFilters,
        .watchItems,
      ]), time: clock.now())
    if let geocoder {
      info.capabilities.formUnion([.geocodeAddress, .markGuesses])
      info.geocoderAttribution = geocoder.attribution
    }
    return info
  }

  public func geocode(_ query: GeocodeQuery) async throws -> GeocodeResult {
    var violations: [FieldViolation] = []
    let size = query.address.utf8.count
    if query.address.allSatisfy(\.isWhitespace) {
      violations.append(FieldViolation("address", "must not be blank"))
    } else if size > ItemContent.Limits.locationAddress {
      let reason = "is \(size) bytes long; at most \(ItemContent.Limits.locationAddress) are allowed"
      violations.append(FieldViolation("address", reason))
    }
    if query.limit < 1 { violations.append(FieldViolation("limit", "is \(query.limit); it must be at least 1")) }
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
    guard let geocoder else { throw ToDoError.geocoderUnavailable(detail: "this service has no geocoder") }
    var query = query
    query.owner = rateOwner
    query.limit = min(query.limit, GeocodeQuery.limits.upperBound)
    do {
      return GeocodeResult(try await geocoder.candidates(for: query), of: geocoder)
    } catch let error as GeocoderError {
      throw ToDoError.geocoderUnavailable(detail: error.description)
    }
  }
}

// MARK: - Before a transaction, never in one

extension LocalToDoService {
  /// Looks up the addresses of new items that have no coordinate.
  ///
  /// - Parameters:
  ///   - isRequired: whether every address must be found.
  ///   - path: returns the path of an item in the request from the item's index.
  /// - Returns: the results, by address.
  /// - Throws: `ToDoError.addressNotFound` with all unknown addresses, `ToDoError.geocoderUnavailable`.
  func lookUp(
    _ items: [NewItem], required isRequired: Bool, _ path: (Int) -> String
  ) async throws -> [String: AddressLookup] {
    guard let geocoder else { return [:] }
    var wanted: [(index: Int, address: String)] = []
    for (index, item) in items.enumerated() {
      guard let address = item.content.location?.addressToLookUp else { continue }
      // Adding an item again returns the stored item.
      guard try await store.item(item.id, of: owner) == nil else { continue }
      wanted.append((index, address))
    }
    let lookups = try await lookUp(Set(wanted.map(\.address)), by: geocoder)
    guard isRequired else { return lookups }
    var unknown: [FieldViolation] = []
    for (index, address) in wanted {
      do {
        try lookups[address]?.requireCoordinate(at: path(index))
      } catch ToDoError.addressNotFound(let violations) {
        unknown += violations
      }
    }
    guard unknown.isEmpty else { throw ToDoError.addressNotFound(unknown) }
    return lookups
  }

  /// Looks up the address of an item after an edit, if the item then has no coordinate.
  func lookUp(
    for edit: ItemEdit, of id: ItemID, _ ifRevision: Revision?, required isRequired: Bool
  ) async throws -> AddressLookup? {
    guard let geocoder, edit.setsAddress else { return nil }
    guard let item = try await store.item(id, of: owner) else { throw ToDoError.itemNotFound(id) }
    // Avoids a lookup for an edit that will be rejected. The transaction checks again.
    guard ifRevision == nil || ifRevision == item.revision else {
      throw ToDoError.revisionMismatch(id, current: item.revision)
    }
    let content = item.content.applying(edit).canonical
    try Self.rejectInvalid(content.violations(at: "item"))
    guard let address = content.location?.addressToLookUp else { return nil }
    let lookup = try await AddressLookup(of: address, for: rateOwner, by: geocoder)
    if isRequired { try lookup.requireCoordinate(at: "item") }
    return lookup
  }

  /// The maximum number of concurrent lookups for a batch.
  private static let lookUpWidth = 8

  private func lookUp(
    _ addresses: Set<String>, by geocoder: any Geocoder
  ) async throws -> [String: AddressLookup] {
    // Most requests have one address, which needs no task group.
    if addresses.count == 1, let address = addresses.first {
      return [address: try await AddressLookup(of: address, for: rateOwner, by: geocoder)]
    }
    var rest = addresses.makeIterator()
    return try await withThrowingTaskGroup(of: AddressLookup.self) { group in
      for _ in 0..<Self.lookUpWidth {
        guard let address = rest.next() else { break }
        group.addTask { [rateOwner] in try await AddressLookup(of: address, for: rateOwner, by: geocoder) }
      }
      var lookups: [String: AddressLookup] = [:]
      while let lookup = try await group.next() {
        lookups[lookup.address] = lookup
        guard let address = rest.next() else { continue }
        group.addTask { [rateOwner] in try await AddressLookup(of: address, for: rateOwner, by: geocoder) }
      }
      return lookups
    }
  }
}

extension ItemEdit {
  /// Whether the edit may change the item's address.
  fileprivate var setsAddress: Bool {
    switch location {
    case .set: true
    case .edit(_, let address, let coordinate, _): address != .keep || coordinate == .clear
    case .keep, .clear: false
    }
  }
}

extension GeocodeResult {
  /// Creates a result with one attribution, which covers only the geocoders that returned candidates.
  fileprivate init(_ candidates: [GeocodeCandidate], of geocoder: any Geocoder) {
    let attributions = Set(candidates.map(\.attribution)).subtracting([""])
    self.init(
      candidates: candidates.map { candidate in
        var candidate = candidate
        candidate.attribution = ""
        return candidate
      },
      attribution: attributions.isEmpty ? geocoder.attribution : attributions.sorted().joined(separator: "; "))
  }
}
