import ArgumentParser
import ToDoModel

/// `todo add`
struct AddCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an item.", usage: "todo add <title> ... [<options>]",
    discussion: """
      Several words are read: a date at the end is the due date, and '@' begins a place, as in \
      'todo add Buy milk tomorrow 17:00 @Corner shop'. A title in quotes, and words after '--', are taken as they are.

      <when> accepts:
      \(DueDateError.acceptedForms)
      """)

  @Argument(help: "The title.")
  var title: [UserText]

  @OptionGroup var content: ContentOptions

  @Flag(help: "Add the item even if an identical incomplete item exists.")
  var allowDuplicate = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    let due = try content.due.map { try session.dueDate($0.text) }
    let words = QuickAdd(
      title, session.dueDateParser, readsDue: due == nil, readsPlace: content.location == nil)
    var item = NewItem(
      id: session.context.makeID(session.clock.now()),
      content: ItemContent(
        title: session.title(words.title), itemDescription: content.note?.text, due: due ?? words.due,
        location: content.location))
    try await session.withService { service in
      if let place = words.place { item.content.location = try await location(of: place, in: service, session) }
      let item = item
      do {
        let address = item.content.location?.address
        let added = try await session.save(geocoding: address) { withoutCoordinate in
          try await service.addItem(
            item, allowingDuplicate: allowDuplicate, savingWithoutCoordinate: withoutCoordinate)
        }
        try session.printItem(added, verb: "Added")
      } catch ToDoError.duplicateItem(_, let existing) {
        throw try await duplicate(of: existing, in: service)
      }
    }
  }

  /// Returns the place of an item that has one with this name, or else an address that the geocoder finds, or else a place
  /// with this name. A match that is not spelled like the text counts only if the text looks like an address, so that "Bank"
  /// is not the village of Bānk.
  private func location(of place: String, in service: any ToDoService, _ session: Session) async throws -> Location {
    let known = try await service.allItems(ItemQuery(text: place, order: .updated)).items.lazy.compactMap(\.location)
    if let location = known.first(where: { $0.isNamed(place) }) { return location }
    do {
      let found = try await service.geocode(GeocodeQuery(address: place, limit: 1))
      guard let candidate = found.candidates.first,
        place.contains(where: { $0 == "," || $0.isNumber })
          || candidate.displayName.lowercased().hasPrefix(place.lowercased())
      else { return Location(name: place) }
      session.printNotice("'\(place.escapingControls())' is \(candidate.displayName.escapingControls()).")
      return Location(address: place)
    } catch ToDoError.geocoderUnavailable {
      return Location(name: place)
    }
  }

  private func duplicate(of existing: ItemID, in service: any ToDoService) async throws -> Failure {
    let item = try await service.item(existing)
    var failure = Failure(ToDoError.duplicateItem(existing, existing: existing))
    failure.message = "an identical item already exists: \(item.shortReference)"
    failure.details = ["Use '--allow-duplicate' to add it anyway."]
    return failure
  }
}
