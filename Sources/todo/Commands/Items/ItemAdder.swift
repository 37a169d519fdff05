import ToDoModel

/// Adds items for `todo add`.
struct ItemAdder {
  private let session: Session
  private let service: any ToDoService
  private let options: ContentOptions
  private let due: DueDate?
  private let allowsDuplicate: Bool
  private let matcher: AddressMatcher

  /// - Parameter due: the value of `--due`, which takes precedence over a date in the words.
  init(
    _ session: Session, _ service: any ToDoService, _ options: ContentOptions, due: DueDate?, allowingDuplicate: Bool
  ) {
    (self.session, self.service, self.options, self.due) = (session, service, options, due)
    allowsDuplicate = allowingDuplicate
    matcher = AddressMatcher(session, service, near: options.near, takesFirst: options.first)
  }

  /// Saves an item.
  ///
  /// - Returns: the item, and what the user should know about it.
  /// - Throws: `Failure` if an identical item exists; the errors of `AddressMatcher.match(_:)` and of
  ///   `Session.save(geocoding:_:)`.
  func add(_ text: AddedText) async throws -> (item: ToDoItem, notices: [String]) {
    let draft = try await draft(of: text)
    let item = NewItem(id: session.context.makeID(session.clock.now()), content: draft.content)
    do {
      let added = try await session.save(geocoding: item.content.location?.address) { withoutCoordinate in
        try await service.addItem(
          item, allowingDuplicate: allowsDuplicate, savingWithoutCoordinate: withoutCoordinate)
      }
      return (added, [draft.match?.text(for: added.location), text.notice(for: added)].compactMap(\.self))
    } catch ToDoError.duplicateItem(_, let existing) {
      throw try await service.duplicateFailure(of: existing, verb: "add")
    }
  }

  /// Returns what `add(_:)` would save, with the coordinate of the place, and what the user should know about it.
  ///
  /// - Throws: the errors of `AddressMatcher.match(_:)`.
  func preview(_ text: AddedText) async throws -> (content: ItemContent, notices: [String]) {
    var (content, match) = try await draft(of: text)
    if content.location?.coordinate == nil, let match { content.location?.coordinate = match.place.coordinate }
    return (content, [match?.text(for: content.location), text.notice].compactMap(\.self))
  }

  /// Returns what to save, and the place that its address means.
  private func draft(of text: AddedText) async throws -> (content: ItemContent, match: AddressMatch?) {
    var content = ItemContent(
      title: text.title, itemDescription: options.note?.text, due: due ?? text.due, location: options.location)
    if let place = text.place { content.location = try await location(of: place) }
    // The place of another item has been matched before.
    let isInherited = text.place != nil && content.location?.name != nil
    let match = isInherited ? nil : try await matcher.match(content.location?.addressToLookUp)
    if let coordinate = match?.coordinateToSet { content.location?.coordinate = coordinate }
    return (content, match)
  }

  /// Returns the coordinate, or the place of an item that has one with this name, or else an address that the geocoder finds,
  /// or else a place with this name. A match that is not spelled like the text counts only if the text looks like an address,
  /// so that "Bank" is not the village of Bānk.
  private func location(of place: String) async throws -> Location {
    if let coordinate = try? Coordinate(argument: place) { return Location(coordinate: coordinate) }
    let known = try await service.allItems(ItemQuery(text: place, order: .updated)).items.lazy.compactMap(\.location)
    if let location = known.first(where: { $0.isNamed(place) }) { return location.inherited }
    guard let candidate = try await matcher.candidates(for: place).first, !session.isGuess(candidate, for: place),
      place.contains(where: { $0 == "," || $0.isNumber })
        || candidate.displayName.lowercased().hasPrefix(place.lowercased())
    else { return Location(name: place) }
    return Location(address: place)
  }
}
