import ArgumentParser
import ToDoModel

/// `todo add`
struct AddCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an item.", usage: "todo add <title> [<options>]",
    discussion: "<when> accepts:\n\(DueDateError.acceptedForms)")

  @Argument(help: "The title, in quotes if it contains spaces.")
  var title: String

  @OptionGroup var content: ContentOptions

  @Flag(help: "Add the item even if an identical incomplete item exists.")
  var allowDuplicate = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    let due = try content.due.map(session.dueDate)
    let item = NewItem(
      id: session.context.makeID(session.clock.now()),
      content: ItemContent(title: title, itemDescription: content.note, due: due, location: content.location))
    try await session.withService { service in
      do {
        let added = try await session.save(geocoding: content.address) { withoutCoordinate in
          try await service.addItem(
            item, allowingDuplicate: allowDuplicate, savingWithoutCoordinate: withoutCoordinate)
        }
        try session.printItem(added, verb: "Added")
      } catch ToDoError.duplicateItem(_, let existing) {
        throw try await duplicate(of: existing, in: service)
      }
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
