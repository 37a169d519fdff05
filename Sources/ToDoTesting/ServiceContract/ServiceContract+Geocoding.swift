import Testing
import ToDoModel
import ToDoRules

extension ServiceContract {
  private static let known = Location(name: "Alte Pinakothek", address: .alteAddress)
  private static let found = Location(
    name: "Alte Pinakothek", address: .alteAddress, coordinate: GeocodeCandidate.alte.coordinate,
    provenance: Location.Provenance(source: "mock", granularity: .locality))
  private static let unknown = Location(address: "Nowhere 1")
  /// A candidate of another address.
  private static let there: GeocodeCandidate = {
    var candidate = GeocodeCandidate.alte
    (candidate.displayName, candidate.granularity) = ("There", .street)
    return candidate
  }()
  private static let given = Coordinate(latitude: 1, longitude: 2)

  static var geocodingAdditions: [Rule] {
    [
      Rule("an address without a coordinate is looked up, and the coordinate is stored with its source") {
        subject async throws in
        let item = try await subject.add(ItemContent(title: "Visit", location: known))
        #expect(item.location == found)
        #expect(subject.geocoder.queries == [GeocodeQuery(address: .alteAddress, limit: 1, owner: .local)])
        #expect(try await subject.service.item(item.id) == item)
      },
      Rule("an item without an address is not looked up") { subject async throws in
        try await subject.add(ItemContent(title: "Visit", location: Location(name: "Somewhere", address: "")))
        try await subject.add(ItemContent(title: "Blank", location: Location(name: "Somewhere", address: " \n")))
        try await subject.add(ItemContent(title: "Read"))
        #expect(subject.geocoder.queries.isEmpty)
      },
      Rule("an address with a coordinate is not looked up, and the coordinate is preserved") { subject async throws in
        let location = Location(address: .alteAddress, coordinate: given)
        #expect(try await subject.add(ItemContent(title: "Visit", location: location)).location == location)
        #expect(subject.geocoder.queries.isEmpty)
      },
      Rule("an unknown address is rejected, and nothing is saved") { subject async throws in
        await #expect {
          try await subject.add(ItemContent(title: "Visit", location: unknown))
        } throws: { error in
          guard case ToDoError.addressNotFound(let violations) = error else { return false }
          return violations.map(\.field) == ["item.location.address"]
        }
        #expect(try await subject.titles().isEmpty)
      },
      Rule("an address is rejected while the geocoder fails, and nothing is saved") { subject async throws in
        for error in GeocoderError.samples {
          subject.geocoder.fail(with: error)
          await #expect(throws: ToDoError.geocoderUnavailable(detail: error.description)) {
            try await subject.add(ItemContent(title: "Visit", location: known))
          }
        }
        #expect(try await subject.titles().isEmpty)
      },
      Rule("an item is saved without a coordinate if the caller allows it") { subject async throws in
        let item = try await subject.service.addItem(
          subject.newItem(ItemContent(title: "Visit", location: unknown)),
          options: SaveOptions(savesWithoutCoordinate: true))
        #expect(item.location == unknown)
        subject.geocoder.fail(with: .timedOut)
        let other = try await subject.service.addItem(
          subject.newItem(ItemContent(title: "Later", location: known)),
          options: SaveOptions(savesWithoutCoordinate: true))
        #expect(other.location == known)
      },
      Rule("adding an item again looks the address up once and is not a conflict") { subject async throws in
        let new = subject.newItem(ItemContent(title: "Visit", location: known))
        let item = try await subject.service.addItem(new)
        #expect(try await subject.service.addItem(new) == item)
        #expect(subject.geocoder.queries.count == 1)
      },
      Rule("an item with an address is a duplicate of the same item with a geocoded coordinate") {
        subject async throws in
        let existing = try await subject.add(ItemContent(title: "Visit", location: known))
        let again = subject.newItem(ItemContent(title: "Visit", location: known))
        await #expect(throws: ToDoError.duplicateItem(again.id, existing: existing.id)) {
          try await subject.service.addItem(again)
        }
      },
      Rule("a confirmed candidate is stored with its source and granularity, and its address is not looked up") {
        subject async throws in
        let location = Location(name: "Home", address: .alteAddress, at: there)
        let item = try await subject.add(ItemContent(title: "Visit", location: location))
        #expect(item.location == location)
        #expect(try await subject.service.item(item.id) == item)
        let batch = [subject.newItem(ItemContent(title: "Look", location: location))]
        #expect(try await subject.service.addItems(batch).map(\.location) == [location])
        #expect(subject.geocoder.queries.isEmpty)
      },
      Rule("a provenance without an address and a coordinate is ignored") { subject async throws in
        let provenance = Location.Provenance(source: "mock", granularity: .house)
        let location = Location(name: "There", coordinate: given, provenance: provenance)
        #expect(try await subject.add(ItemContent(title: "Visit", location: location)).location?.provenance == nil)
        let known = Location(address: .alteAddress, provenance: provenance)
        #expect(
          try await subject.add(ItemContent(title: "Look", location: known)).location?.provenance == found.provenance)
      },
      Rule("a confirmed candidate has a source of one line and at most 256 bytes") { subject async throws in
        var candidate = there
        for source in ["", "a\nb", "\0", String(repeating: "a", count: 257)] {
          candidate.source = source
          let location = Location(address: .alteAddress, at: candidate)
          await expectViolations(of: ["item.location.source"]) {
            try await subject.add(ItemContent(title: "Visit", location: location))
          }
        }
      },
      Rule("an item with a confirmed candidate is a duplicate of the same item with its address alone") {
        subject async throws in
        let existing = try await subject.add(ItemContent(title: "Visit", location: Location(address: .alteAddress)))
        let again = subject.newItem(
          ItemContent(title: "Visit", location: Location(address: .alteAddress, at: .alte)))
        await #expect(throws: ToDoError.duplicateItem(again.id, existing: existing.id)) {
          try await subject.service.addItem(again)
        }
      },
      Rule("items with one address are duplicates only if the places that were found for them are within 10 km") {
        subject async throws in
        func content(_ latitude: Double) -> ItemContent {
          var candidate = there
          candidate.coordinate = Coordinate(latitude: latitude, longitude: 2) ?? candidate.coordinate
          return ItemContent(title: "Visit", location: Location(address: "Springfield", at: candidate))
        }
        let towns = [1.0, 2.0, 3.0]
        var items: [ToDoItem] = []
        for town in towns { items.append(try await subject.add(content(town))) }
        for (town, item) in zip(towns, items) {
          let near = subject.newItem(content(town + 0.05))
          await #expect(throws: ToDoError.duplicateItem(near.id, existing: item.id)) {
            try await subject.service.addItem(near)
          }
        }
        // Whichever was added first: none can move to the place of another.
        for (item, town) in [(items[0], towns[1]), (items[1], towns[0])] {
          var edit = ItemEdit()
          edit.location = content(town).location.map(LocationEdit.set) ?? .keep
          await #expect(throws: ToDoError.self) { try await subject.service.updateItem(item.id, edit, ifRevision: nil) }
        }
        // It may be any of them.
        let unknown = subject.newItem(ItemContent(title: "Visit", location: Location(address: "Springfield")))
        subject.geocoder.fail(with: .timedOut)
        await #expect(throws: ToDoError.self) {
          try await subject.service.addItem(unknown, options: SaveOptions(savesWithoutCoordinate: true))
        }
      },
      Rule("an address that only a guess matches is rejected, and a guess is stored only if the caller names it") {
        subject async throws in
        let guess = subject.guess(for: "Zoo")
        let new = subject.newItem(ItemContent(title: "Visit", location: Location(address: "Zoo")))
        await #expect {
          try await subject.service.addItem(new)
        } throws: { error in
          guard case ToDoError.addressNotFound(let violations) = error else { return false }
          return violations.map(\.field) == ["item.location.address"]
            && violations[0].reason.contains(guess.displayName)
        }
        let item = try await subject.service.addItem(new, options: SaveOptions(savesWithoutCoordinate: true))
        #expect(item.location == Location(address: "Zoo"))
        var edit = ItemEdit()
        edit.location = .edit(coordinate: .set(guess.coordinate), provenance: Location.Provenance(of: guess))
        let edited = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(edited.location == Location(address: "Zoo", at: guess))
      },
      Rule("a batch looks up every address once and reports all unknown addresses") { subject async throws in
        let batch = (0..<20).map { subject.newItem(ItemContent(title: "Visit \($0)", location: known)) }
        let added = try await subject.service.addItems(batch)
        #expect(added.allSatisfy { $0.location == found })
        #expect(subject.geocoder.queries.count == 1)
        let mixed = [known, unknown, known, Location(address: "Nowhere 2")].enumerated().map {
          subject.newItem(ItemContent(title: "Mixed \($0)", location: $1))
        }
        await #expect {
          try await subject.service.addItems(mixed)
        } throws: { error in
          guard case ToDoError.addressNotFound(let violations) = error else { return false }
          return violations.map(\.field) == ["items[1].location.address", "items[3].location.address"]
        }
        #expect(try await subject.titles().count == 20)
        let saved = try await subject.service.addItems(mixed, options: SaveOptions(savesWithoutCoordinate: true))
        #expect(saved.map { $0.location?.coordinate == nil } == [false, true, false, true])
      },
    ]
  }

  static var geocodingEdits: [Rule] {
    [
      Rule("a changed address is looked up again") { subject async throws in
        let place = GeocodeCandidate(
          coordinate: try #require(given), displayName: "There", granularity: .house, source: "mock")
        subject.geocoder.setAnswers([place], for: "There 1")
        let item = try await subject.add(ItemContent(title: "Visit", location: known))
        let edited = try await subject.edit(item) { $0.location = .edit(address: .set("There 1")) }
        #expect(edited.location?.coordinate == given)
        #expect(edited.location?.provenance == Location.Provenance(source: "mock", granularity: .house))
        #expect(edited.location?.name == known.name)
      },
      Rule("an edit that does not change the address preserves the geocoded coordinate without a lookup") {
        subject async throws in
        let item = try await subject.add(ItemContent(title: "Visit", location: known))
        let edits: [@Sendable (inout ItemEdit) -> Void] = [
          { $0.title = "Visit again" }, { $0.location = .edit(name: .set("The old one")) },
          { $0.location = .edit(address: .set(.alteAddress)) }, { $0.location = .set(known) },
        ]
        for edit in edits {
          let edited = try await subject.edit(item, edit)
          #expect(edited.location?.coordinate == found.coordinate)
          #expect(edited.location?.provenance == found.provenance)
        }
        #expect(subject.geocoder.queries.count == 1)
      },
      Rule("a changed address preserves a coordinate that the user set") { subject async throws in
        let item = try await subject.add(
          ItemContent(title: "Visit", location: Location(address: .alteAddress, coordinate: given)))
        let edited = try await subject.edit(item) { $0.location = .edit(address: .set("Nowhere 1")) }
        #expect(edited.location == Location(address: "Nowhere 1", coordinate: given))
        #expect(subject.geocoder.queries.isEmpty)
      },
      Rule("a coordinate that the user sets replaces a geocoded coordinate") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Visit", location: known))
        let edited = try await subject.edit(item) {
          $0.location = given.map { .edit(coordinate: .set($0)) } ?? .keep
        }
        #expect(edited.location?.coordinate == given)
        #expect(edited.location?.provenance == nil)
        #expect(subject.geocoder.queries.count == 1)
      },
      Rule("an edit names the candidate that was confirmed for its address, which is not looked up") {
        subject async throws in
        let item = try await subject.add(ItemContent(title: "Visit", location: Location(name: "Home")))
        let edits: [LocationEdit] = [
          .edit(
            address: .set("There 1"), coordinate: .set(there.coordinate), provenance: Location.Provenance(of: there)),
          .set(Location(name: "Home", address: "There 2", at: there)),
        ]
        for (index, edit) in edits.enumerated() {
          let edited = try await subject.edit(item) { $0.location = edit }
          #expect(edited.location == Location(name: "Home", address: "There \(index + 1)", at: there))
        }
        #expect(subject.geocoder.queries.isEmpty)
        // The coordinate belongs to the address, as if the service had found it.
        let moved = try await subject.edit(item) { $0.location = .edit(address: .set(.alteAddress)) }
        #expect(moved.location?.provenance == found.provenance)
      },
      Rule("an edit to an address that only a guess matches is rejected unless the caller allows it") {
        subject async throws in
        _ = subject.guess(for: "Zoo")
        let item = try await subject.add("Visit")
        var edit = ItemEdit()
        edit.location = .edit(address: .set("Zoo"))
        await #expect(throws: ToDoError.self) { try await subject.service.updateItem(item.id, edit, ifRevision: nil) }
        let edited = try await subject.service.updateItem(
          item.id, edit, ifRevision: nil, options: SaveOptions(savesWithoutCoordinate: true))
        #expect(edited.location == Location(address: "Zoo"))
      },
      Rule("clearing the address also clears a geocoded coordinate") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Visit", location: known))
        let edited = try await subject.edit(item) { $0.location = .edit(address: .clear) }
        #expect(edited.location == Location(name: known.name))
      },
      Rule("an edit to an unknown address is rejected unless the caller allows it") {
        subject async throws in
        let item = try await subject.add(ItemContent(title: "Visit", location: known))
        var edit = ItemEdit()
        edit.location = .edit(address: .set("Nowhere 1"))
        await #expect(throws: ToDoError.self) {
          try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        }
        #expect(try await subject.service.item(item.id) == item)
        let edited = try await subject.service.updateItem(
          item.id, edit, ifRevision: nil, options: SaveOptions(savesWithoutCoordinate: true))
        #expect(edited.location == Location(name: known.name, address: "Nowhere 1"))
      },
      Rule("the address of a rejected request is not looked up") { subject async throws in
        var edit = ItemEdit()
        edit.location = .edit(address: .set(.alteAddress))
        let id = ItemID(high: 1, low: 2)
        await #expect(throws: ToDoError.itemNotFound(id)) {
          try await subject.service.updateItem(id, edit, ifRevision: nil)
        }
        let item = try await subject.add("Milk")
        await #expect(throws: ToDoError.revisionMismatch(item.id, current: item.revision)) {
          try await subject.service.updateItem(item.id, edit, ifRevision: Revision(9))
        }
        await expectViolations(of: ["item.title"]) {
          try await subject.add(ItemContent(title: "", location: known))
        }
        #expect(subject.geocoder.queries.isEmpty)
      },
      Rule("a slow lookup does not delay other operations") { subject async throws in
        subject.geocoder.hold()
        let new = subject.newItem(ItemContent(title: "Visit", location: known))
        let slow = Task { try await subject.service.addItem(new) }
        await subject.geocoder.waitForQueries()
        let item = try await subject.service.addItem(
          NewItem(id: ItemID(high: 1, low: 3), content: ItemContent(title: "Milk")))
        _ = try await subject.service.checkItem(item.id, ifRevision: nil)
        #expect(try await subject.titles() == ["Milk"])
        subject.geocoder.release()
        #expect(try await slow.value.location == found)
      },
    ]
  }

  static var geocoding: [Rule] {
    [
      Rule("geocode returns candidates and their attribution") { subject async throws in
        let result = try await subject.service.geocode(GeocodeQuery(address: .alteAddress, bias: given, limit: 3))
        #expect(result == GeocodeResult(candidates: [.alte], attribution: "The mock's places"))
        #expect(subject.geocoder.queries == [GeocodeQuery(address: .alteAddress, bias: given, limit: 3, owner: .local)])
        let none = try await subject.service.geocode(GeocodeQuery(address: "Nowhere 1"))
        #expect(none.candidates.isEmpty)
      },
      Rule("geocode says which candidates are guesses") { subject async throws in
        let guess = subject.guess(for: "Zoo")
        #expect(try await subject.service.geocode(GeocodeQuery(address: "Zoo")).candidates == [guess])
        #expect(guess.isGuess)
      },
      Rule("geocode requests at most 50 candidates") { subject async throws in
        _ = try await subject.service.geocode(GeocodeQuery(address: .alteAddress, limit: 51))
        #expect(subject.geocoder.queries.map(\.limit) == [50])
      },
      Rule("geocode rejects an invalid address or limit") { subject async throws in
        for address in ["", " \n", String(repeating: "a", count: 1025)] {
          await expectViolations(of: ["address"]) { try await subject.service.geocode(GeocodeQuery(address: address)) }
        }
        for limit in [0, -1] {
          await expectViolations(of: ["limit"]) {
            try await subject.service.geocode(GeocodeQuery(address: .alteAddress, limit: limit))
          }
        }
      },
      Rule("geocode reports the geocoder's error") { subject async throws in
        for error in GeocoderError.samples {
          subject.geocoder.fail(with: error)
          await #expect(throws: ToDoError.geocoderUnavailable(detail: error.description)) {
            try await subject.service.geocode(GeocodeQuery(address: .alteAddress))
          }
        }
        // The service does not retry on its own.
        #expect(subject.geocoder.queries.count == GeocoderError.samples.count)
      },
      Rule("info reports the geocoding capability and the attribution") { subject async throws in
        let info = try await subject.service.info()
        #expect(info.geocoderAttribution == "The mock's places")
        // A server also reads sentences.
        #expect(
          info.capabilities.subtracting([.parseQuickAdd]) == [
            .combineFilters, .excludeFilters, .geocodeAddress, .listChanges, .listNearbyItems, .markGuesses,
            .remindItems, .renameTags, .repeatItems, .revertChanges, .stepItems, .tagItems, .waitItems,
            .watchFilters, .watchItems,
          ])
      },
    ]
  }
}

extension GeocoderError {
  /// One error of each kind.
  static let samples: [GeocoderError] = [
    .unavailable(detail: "no route"), .notPermitted, .rateLimited(retryAfter: nil),
    .rateLimited(retryAfter: .seconds(3)), .timedOut, .malformedResponse(detail: "no JSON"),
  ]
}

extension ServiceContract.Subject {
  /// Makes the geocoder guess the place of an address, and returns the guess.
  fileprivate func guess(for address: String) -> GeocodeCandidate {
    var candidate = GeocodeCandidate.alte
    (candidate.displayName, candidate.isGuess) = ("Mülheim, Germany", true)
    geocoder.setAnswers([candidate], for: address)
    return candidate
  }

  fileprivate func edit(_ item: ToDoItem, _ change: (inout ItemEdit) -> Void) async throws -> ToDoItem {
    var edit = ItemEdit()
    change(&edit)
    return try await service.updateItem(item.id, edit, ifRevision: nil)
  }
}
