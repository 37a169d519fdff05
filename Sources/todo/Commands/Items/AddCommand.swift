import ArgumentParser
import ToDoModel

struct AddCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an item.", usage: "todo add <title> [<options>]",
    discussion: "When it is due can be written as:\n\(WhenError.accepted)")

  @Argument(help: "What is to be done; in quotes when it has blanks.")
  var title: String

  @OptionGroup var content: ContentOptions

  @Flag(help: "Add it even when the same item is still to be done.")
  var allowDuplicate = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    let due = try content.due.map(session.due)
    let item = NewItem(
      id: session.context.makeID(session.clock.now()),
      content: ItemContent(title: title, itemDescription: content.note, due: due, location: content.location))
    try await session.withService { service in
      do {
        let added = try await session.saving(content.address) { withoutCoordinate in
          try await service.addItem(
            item, allowingDuplicate: allowDuplicate, savingWithoutCoordinate: withoutCoordinate)
        }
        try session.printItem(added, done: "Added", ShortestPrefixes(of: []))
      } catch ToDoError.duplicateItem(_, let existing) {
        throw try await duplicate(of: existing, in: service)
      }
    }
  }

  private func duplicate(of existing: ItemID, in service: any ToDoService) async throws -> Failure {
    let prefixes = ShortestPrefixes(of: try await service.allItems().items.map(\.id))
    var failure = Failure(ToDoError.duplicateItem(existing, existing: existing))
    failure.message = "the same item is in the list already: \(prefixes[existing])"
    failure.details = ["Use '--allow-duplicate' to add it beside that one."]
    return failure
  }
}
