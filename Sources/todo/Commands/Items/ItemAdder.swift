import ToDoModel
import ToDoText

/// Adds items for `todo add`.
struct ItemAdder {
  private let session: Session
  private let service: any ToDoService
  private let options: ContentOptions
  private let fields: AddedFields
  private let allowsDuplicate: Bool
  private let matcher: AddressMatcher

  /// - Parameter fields: the fields that options set.
  init(
    _ session: Session, _ service: any ToDoService, _ fields: AddedFields, allowingDuplicate: Bool
  ) {
    (self.session, self.service, self.options, self.fields) = (session, service, fields.options, fields)
    allowsDuplicate = allowingDuplicate
    matcher = AddressMatcher(session, service, near: options.near, takesFirst: options.first)
  }

  /// Saves an item.
  ///
  /// - Returns: the item, and notices about it for the user.
  /// - Throws: `Failure` if an identical item exists or words contradict an option; the errors of `AddressMatcher.match(_:)` and of
  ///   `Session.save(geocoding:_:)`.
  func add(_ text: AddedText) async throws -> (item: ToDoItem, notices: [String]) {
    let draft = try await draft(of: text)
    let item = NewItem(id: session.context.makeID(session.clock.now()), content: draft.content)
    do {
      let added = try await session.save(geocoding: item.content.location?.address) { withoutCoordinate in
        try await service.addItem(
          item, options: SaveOptions(allowsDuplicate: allowsDuplicate, savesWithoutCoordinate: withoutCoordinate))
      }
      let place = draft.place.match?.text(for: added.location) ?? draft.place.notice(for: added)
      return (added, [place, text.notice(for: added)].compactMap(\.self) + session.notices(of: added.content))
    } catch ToDoError.duplicateItem(_, let existing) {
      throw try await service.duplicateFailure(of: existing, verb: "add")
    }
  }

  /// Returns the content that `add(_:)` would save, with the coordinate of the place, and notices for the user.
  ///
  /// - Throws: `Failure` if the words contradict an option; the errors of `AddressMatcher.match(_:)`.
  func preview(_ text: AddedText) async throws -> (content: ItemContent, notices: [String]) {
    let (content, place) = try await draft(of: text)
    let notices = [place.match?.text(for: content.location) ?? place.notice, text.notice].compactMap(\.self)
    return (content, notices + session.notices(of: content))
  }

  /// Returns the content to save, and the meaning of its place.
  private func draft(of text: AddedText) async throws -> (content: ItemContent, place: Place) {
    let due = try due(of: text)
    var place = Place(location: options.location)
    if let words = text.place, let coordinate = options.at?.coordinate {
      guard (try? Coordinate(argument: words)) == nil else {
        throw Failure.usage("'@\(words.escapingControls())' and '--at' are two coordinates; leave out one of them")
      }
      place.location = Location(name: words, coordinate: coordinate)
    } else if let words = text.place {
      place = try await self.place(words)
    } else {
      place.match = try await matcher.match(place.location?.addressToLookUp)
    }
    if let match = place.match {
      place.location?.coordinate = match.place.coordinate
      place.location?.provenance = Location.Provenance(of: match.place)
    }
    return (try fields.content(of: text, due: due, location: place.location, in: session), place)
  }

  /// Returns the due date, which the words and `--repeat` or `--due` and `--repeat` say together.
  ///
  /// - Throws: `Failure` if they don't agree.
  private func due(of text: AddedText) throws -> DueDate? {
    guard let option = fields.repetition else { return fields.due ?? text.due }
    let words = "'\(text.dateWords.escapingControls())'"
    if let repetition = text.repetition, option.repetition(from: text.due, in: session.zone)?.rule != repetition.rule {
      throw Failure.usage("\(words) doesn't agree with '--repeat'; leave out one of them")
    }
    let due = fields.due ?? text.due
    try option.check(due, of: fields.due == nil ? words : "'--due'", in: session.zone)
    return option.due(on: due, in: session.zone)
  }

  /// The place with which an item is saved.
  private struct Place {
    var location: Location?
    /// The place on the map that its address means.
    var match: AddressMatch?
    /// The reason why the place is only a name, in one sentence.
    var notice: String?

    /// Returns the notice with a suggestion, after the item was saved.
    func notice(for item: ToDoItem) -> String? {
      notice.map { "\($0) Choose one with 'todo edit \(item.shortReference) --address'." }
    }
  }

  /// Returns what a sentence's place means: a coordinate, the location of an item with this name, an address that the geocoder
  /// finds, or only a name. An ambiguous name stays a name unless the user chooses one of the places.
  private func place(_ words: String) async throws -> Place {
    if let coordinate = try? Coordinate(argument: words) { return Place(location: Location(coordinate: coordinate)) }
    let items = try await service.allItems(ItemQuery(text: words)).items
    if let location = items.inheritedLocation(named: words) { return Place(location: location) }
    let matches = try await matcher.matches(ofPlace: words)
    let name = Place(location: Location(name: words))
    guard !matches.isEmpty else { return name }
    let match = matches.count == 1 ? matches[0] : try matcher.choose(matches, orOnlyNameOf: words)
    if let match { return Place(location: Location(address: words), match: match) }
    guard !session.canPrompt else { return name }
    let notice = "'\(words.escapingControls())' could be any of \(matches.count) places, so no place on the map is set."
    return Place(location: name.location, notice: notice)
  }
}
