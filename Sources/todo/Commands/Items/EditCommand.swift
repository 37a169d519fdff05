import ArgumentParser
import ToDoModel

/// `todo edit`
struct EditCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change an item.",
    usage: "todo edit <item> [<options>]",
    discussion: """
      Fields without an option are unchanged. Clearing every part of a place removes the place.

      Without options, opens a form with the fields in $VISUAL, or else $EDITOR, or else vi. Needs a terminal.
      """,
    aliases: ["mv"])

  @Argument(help: ArgumentHelp(ItemReference.singleHelp, valueName: "item"))
  var item: [UserText]

  @Option(help: ArgumentHelp("The title.", valueName: "text"))
  var title: UserText?

  @OptionGroup var content: ContentOptions

  @Flag(help: "Clear the due date.") var noDue = false
  @Flag(help: "Clear the note.") var noNote = false
  @Flag(help: "Clear the name of the place.") var noPlace = false
  @Flag(help: "Clear the address of the place.") var noAddress = false
  @Flag(help: "Clear the coordinate of the place.") var noAt = false
  @Flag(help: "Clear every part of the place.") var noLocation = false

  @Flag(help: "Edit the item even if an identical incomplete item exists.")
  var allowDuplicate = false

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
    if noLocation && editsPart {
      throw ValidationError("'--no-location' cannot be combined with options for parts of the place")
    }
  }

  /// Whether an option edits a part of the place.
  private var editsPart: Bool { content.location != nil || noPlace || noAddress || noAt }

  /// Whether no option edits a field.
  private var usesForm: Bool {
    let editsRest = title != nil || content.due != nil || content.note != nil || noDue || noNote
    return !editsRest && !editsPart && !noLocation
  }

  func run(in session: Session) async throws {
    if usesForm { return try await editForm(in: session) }
    var edit = ItemEdit()
    edit.title = title.map { session.title($0.text) }
    edit.itemDescription = .init(text: content.note?.text, clears: noNote)
    edit.due = noDue ? .clear : try content.due.map { .set(try session.dueDate($0.text)) } ?? .keep
    edit.location = location
    let request = edit
    try await session.withService { service in
      var resolver = ItemResolver(session, service)
      let current = try await resolver.item(item)
      let matcher = AddressMatcher(session, service, near: content.near, takesFirst: content.first)
      let match = try await matcher.match(request.addressToLookUp(in: current))
      let change = request.setting(match?.coordinateToSet)
      let edited = try await session.save(change, of: current.id, allowingDuplicate: allowDuplicate, in: service)
      try session.printItem(edited, verb: "Edited")
      session.printMatch(match, of: edited)
    }
  }

  private func editForm(in session: Session) async throws {
    guard session.canPrompt, session.context.terminal.outputIsTerminal else {
      throw Failure.usage("nothing to change; specify at least one option, such as '--title'")
    }
    try await session.withService { service in
      var resolver = ItemResolver(session, service)
      let item = try await resolver.item(item)
      try await FormEdit(session: session, service: service, allowsDuplicate: allowDuplicate).run(item)
    }
  }

  private var location: LocationEdit {
    if noLocation { return .clear }
    let name = FieldEdit(text: content.place?.text, clears: noPlace)
    let address = FieldEdit(text: content.address?.text, clears: noAddress)
    let coordinate: FieldEdit<Coordinate> = noAt ? .clear : content.at.map { .set($0) } ?? .keep
    if name == .keep && address == .keep && coordinate == .keep { return .keep }
    return .edit(name: name, address: address, coordinate: coordinate)
  }
}

extension FieldEdit where Value == String {
  /// Creates an edit from the options of a field. An empty text also clears the field.
  fileprivate init(text: String?, clears: Bool) {
    if clears || text?.isEmpty == true { self = .clear } else { self = text.map { .set($0) } ?? .keep }
  }
}
