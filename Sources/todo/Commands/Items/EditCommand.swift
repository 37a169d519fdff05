import ArgumentParser
import ToDoModel

struct EditCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change an item.",
    usage: "todo edit <id> [<options>]",
    discussion: "What no option names stays as it is. Clearing the last part of a place clears the place.")

  @Argument(help: "The beginning of the item's id.")
  var id: String

  @Option(parsing: .unconditional, help: ArgumentHelp("What is to be done.", valueName: "text"))
  var title: String?

  @OptionGroup var content: ContentOptions

  @Flag(help: "Clear the due date.") var noDue = false
  @Flag(help: "Clear the note.") var noNote = false
  @Flag(help: "Clear what the place is called.") var noPlace = false
  @Flag(help: "Clear the place's address.") var noAddress = false
  @Flag(help: "Clear the place's coordinate.") var noAt = false
  @Flag(help: "Clear all of the place.") var noLocation = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let pairs = [
      ("due", content.due != nil, noDue), ("note", content.note != nil, noNote),
      ("place", content.place != nil, noPlace), ("address", content.address != nil, noAddress),
      ("at", content.at != nil, noAt),
    ]
    for (name, isSet, isCleared) in pairs where isSet && isCleared {
      throw ValidationError("'--\(name)' and '--no-\(name)' cannot be combined")
    }
    let editsPart = content.location != nil || noPlace || noAddress || noAt
    if noLocation && editsPart { throw ValidationError("'--no-location' cannot be combined with parts of a place") }
    let editsRest = title != nil || content.due != nil || content.note != nil || noDue || noNote
    guard editsRest || editsPart || noLocation else { throw ValidationError("there is nothing to change") }
  }

  func run(in session: Session) async throws {
    var edit = ItemEdit()
    edit.title = title
    edit.itemDescription = .init(text: content.note, clears: noNote)
    edit.due = noDue ? .clear : try content.due.map { .set(try session.due($0)) } ?? .keep
    edit.location = location
    let change = edit
    try await session.changeItems([id], done: "Edited") { service, id in
      try await session.saving(content.address) {
        try await service.updateItem(id, change, ifRevision: nil, savingWithoutCoordinate: $0)
      }
    }
  }

  private var location: LocationEdit {
    if noLocation { return .clear }
    let name = FieldEdit(text: content.place, clears: noPlace)
    let address = FieldEdit(text: content.address, clears: noAddress)
    let coordinate: FieldEdit<Coordinate> = noAt ? .clear : content.at.map { .set($0) } ?? .keep
    if name == .keep && address == .keep && coordinate == .keep { return .keep }
    return .edit(name: name, address: address, coordinate: coordinate)
  }
}

extension FieldEdit where Value == String {
  /// An empty text clears, too.
  fileprivate init(text: String?, clears: Bool) {
    if clears || text?.isEmpty == true { self = .clear } else { self = text.map { .set($0) } ?? .keep }
  }
}
