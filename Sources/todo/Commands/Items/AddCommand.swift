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
      let matcher = AddressMatcher(session, service, near: content.near, takesFirst: content.first)
      if let place = words.place { item.content.location = try await location(of: place, in: service, matcher) }
      let match = try await matcher.match(item.content.location?.addressToLookUp)
      if let coordinate = match?.coordinateToSet { item.content.location?.coordinate = coordinate }
      let item = item
      do {
        let address = item.content.location?.address
        let added = try await session.save(geocoding: address) { withoutCoordinate in
          try await service.addItem(
            item, allowingDuplicate: allowDuplicate, savingWithoutCoordinate: withoutCoordinate)
        }
        try session.printItem(added, verb: "Added")
        session.printMatch(match, of: added)
      } catch ToDoError.duplicateItem(_, let existing) {
        throw try await service.duplicateFailure(of: existing, verb: "add")
      }
    }
  }

  /// Returns the place of an item that has one with this name, or else an address that the geocoder finds, or else a place
  /// with this name. A match that is not spelled like the text counts only if the text looks like an address, so that "Bank"
  /// is not the village of Bānk.
  private func location(
    of place: String, in service: any ToDoService, _ matcher: AddressMatcher
  ) async throws -> Location {
    let known = try await service.allItems(ItemQuery(text: place, order: .updated)).items.lazy.compactMap(\.location)
    if let location = known.first(where: { $0.isNamed(place) }) { return location }
    guard let candidate = try await matcher.candidates(for: place).first,
      place.contains(where: { $0 == "," || $0.isNumber })
        || candidate.displayName.lowercased().hasPrefix(place.lowercased())
    else { return Location(name: place) }
    return Location(address: place)
  }
}
