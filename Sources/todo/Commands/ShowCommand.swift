import ArgumentParser
import ToDoModel

struct ShowCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything about an item.", usage: "todo show <id> [<options>]")

  @Argument(help: "The beginning of the item's id.")
  var id: String

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.withService { service in
      var resolver = ItemResolver(service)
      let item = try await resolver.item(id)
      if session.options.json {
        try session.print(JSONValue(item).indentedText)
      } else if session.options.quiet {
        try session.print(item.id.description)
      } else {
        let details = ItemDetails(
          item: item, now: session.clock.now(), today: session.context.today, zone: session.zone)
        try session.printLines(details.lines(session.palette))
      }
    }
  }
}
