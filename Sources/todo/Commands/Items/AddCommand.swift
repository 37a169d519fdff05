import ArgumentParser
import ToDoModel

/// `todo add`
struct AddCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an item.", usage: "todo add <title> ... [<options>]",
    discussion: """
      Several words are read as a sentence: a day and a time are the due date, and '@' begins a place, as in \
      'todo add Dinner tomorrow @Rossi 19:00'. If days or times don't combine, you're asked which one you mean; in a \
      script, they stay in the title. On a terminal, a title in quotes is read too. Words after '--' are taken as they are.

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
    let reader = AddedTextReader(session: session, readsDue: due == nil, readsPlace: content.location == nil)
    let text = try reader.read(title)
    try await session.withService { service in
      let adder = ItemAdder(session, service, content, due: due, allowingDuplicate: allowDuplicate)
      let added = try await adder.add(text)
      try session.printItem(added.item, verb: "Added")
      added.notices.forEach(session.printNotice)
    }
  }
}
