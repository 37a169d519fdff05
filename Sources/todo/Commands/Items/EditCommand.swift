import ArgumentParser
import ToDoModel
import ToDoText

/// `todo edit`
struct EditCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change items.",
    usage: """
      todo edit <item> ... <options>
      todo edit <item>
      """,
    discussion: """
      Fields without an option are unchanged. '--due none' clears the due date, as '--no-due' does, and so do '--wait none' \
      and '--at none'. Clearing every part of a place removes the place.

      On an item that repeats, '--due' moves this occurrence only, and '--following' also the following ones.

      If '--due' gives only a day, an item that is due at a time keeps that time. '--note +TEXT' appends a line to the \
      note; a plus before a digit is part of a number. '--tag' adds tags to those that the item has. '--remind' replaces all \
      reminders, and '--remind none' removes them; 'todo help add' shows what it accepts.

      Without options, opens a form with the fields in $VISUAL, or else $EDITOR, or else vi. Needs a terminal.
      """)

  @Argument(help: ArgumentHelp(ItemReference.help, valueName: "item"))
  var item: [UserText]

  @Option(help: ArgumentHelp("The title.", valueName: "text"))
  var title: UserText?

  @OptionGroup var content: ContentOptions

  @Flag(help: "Clear the due date.") var noDue = false
  @Flag(help: "Don't keep the time of day if '--due' is a day.") var noTime = false
  @Flag(help: "Move all following occurrences of an item that repeats, not only this one.") var following = false
  @Flag(help: "Don't hide the item until a date or time.") var noWait = false
  @Flag(help: "Clear the note.") var noNote = false
  @Option(help: ArgumentHelp("A tag to remove. Can be repeated.", valueName: "tag"))
  var untag: [UserText] = []
  @Flag(help: "Remove all tags.") var noTags = false
  @Flag(help: "Clear the priority.") var noPriority = false
  @Flag(help: "Clear the name of the place.") var noPlace = false
  @Flag(help: "Clear the address of the place.") var noAddress = false
  @Flag(help: "Clear the coordinate of the place.") var noAt = false
  @Flag(help: "Clear every part of the place.") var noLocation = false

  @Flag(help: "Edit the item even if an identical incomplete item exists.")
  var allowDuplicate = false

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let pairs = [
      ("due", content.due != nil && !dueIsNone, noDue), ("note", content.note != nil, noNote),
      ("place", content.place != nil, noPlace), ("address", content.address != nil, noAddress),
      ("wait", content.wait != nil && !content.waitIsNone, noWait), ("at", content.at?.coordinate != nil, noAt),
      ("priority", content.priority != nil, noPriority),
    ]
    for (name, isSet, isCleared) in pairs where isSet && isCleared {
      throw ValidationError("'--\(name)' and '--no-\(name)' cannot be combined")
    }
    if following && (content.due == nil || content.repetition != nil) {
      throw ValidationError("'--following' needs '--due', and excludes '--repeat'")
    }
    if noTime && content.due == nil { throw ValidationError("'--no-time' needs '--due' with a day") }
    if content.near != nil, content.address == nil, !clearsCoordinate {
      throw ValidationError("'--near' needs '--address', or '--no-at' to look up the kept address again")
    }
    if addedNote?.isEmpty == true { throw ValidationError("'--note +' appends nothing; write a text after the plus") }
    if noLocation && editsPart {
      throw ValidationError("'--no-location' cannot be combined with options for parts of the place")
    }
  }

  /// Whether the due date is cleared: with `--no-due`, or with the word for it that `todo list --due` has.
  private var clearsDue: Bool { noDue || dueIsNone }

  private var dueIsNone: Bool { content.due?.text.lowercased() == "none" }

  private var clearsWait: Bool { noWait || content.waitIsNone }

  private var clearsCoordinate: Bool { noAt || content.at == CoordinateOption.none }

  /// Whether an option edits a part of the place.
  private var editsPart: Bool { content.location != nil || noPlace || noAddress || clearsCoordinate }

  private var editsTags: Bool { !content.tag.isEmpty || !untag.isEmpty || noTags }

  /// Whether no option edits a field.
  private var usesForm: Bool {
    let editsRest =
      title != nil || content.due != nil || content.note != nil || noDue || noNote || editsTags
      || content.priority != nil || noPriority || content.wait != nil || noWait || content.repetition != nil
      || !content.remind.isEmpty
    return !editsRest && !editsPart && !noLocation
  }

  func run(in session: Session) async throws {
    if usesForm { return try await editForm(in: session) }
    let references = try ItemReference.parse(item)
    guard title == nil || references.count == 1 && references[0].isSingle else {
      throw Failure.usage("'--title' needs one item, because two items can't have the same title")
    }
    let values = try values(in: session)
    try await session.withService { service in
      let matcher = AddressMatcher(session, service, near: content.near, takesFirst: content.first)
      var (keptTimes, hasChanged) = ([TimeOfDay](), false)
      let outcome = try await session.forEachItem(
        item, words: words, choosingSeveral: title == nil, in: service
      ) { item in
        let kept = values.keepsTime ? values.due?.keepingTime(of: item.due, in: session.zone) : nil
        var edit = edit(of: item, values, due: kept?.due ?? values.due)
        try setRepetition(values.repetition, of: item, &edit, in: session)
        edit.reminders = values.reminders?.reminders(due: edit.dueAfter(item.due), keepingStatesOf: item.reminders)
        let match = try await matcher.match(edit.addressToLookUp(in: item))
        edit = match.map { edit.setting($0.place.coordinate, Location.Provenance(of: $0.place)) } ?? edit
        // The note, the tags, or the place of a kept address, belongs to this revision.
        let isOfRevision = addedNote != nil || editsTags || following || match != nil && content.address == nil
        let edited = try await session.save(
          edit, of: item.id, ifRevision: isOfRevision ? item.revision : nil, allowingDuplicate: allowDuplicate,
          in: service)
        guard edited.revision != item.revision else {
          try session.printUnchanged(item)
          return edited
        }
        hasChanged = true
        if let kept { keptTimes.append(kept.time) }
        if !session.options.json { try session.printLine(edited, verb: "Edited") }
        session.printMatch(match, of: edited)
        printNotice(ofMoved: item, edited, in: session)
        printNotices(of: edit, edited, in: session)
        return edited
      }
      printNotice(ofKept: keptTimes, in: session)
      if hasChanged { session.printUndoHint() }
      try session.finish(outcome)
    }
  }

  /// The values of the options for all items.
  private struct Values {
    var title: String?
    var due: DueDate?
    /// Whether a due date that is a day keeps the time of day of the item.
    var keepsTime: Bool
    var wait: Timestamp?
    var repetition: TypedRepetition?
    var reminders: TypedReminders?
    var tags, untagged: [String]
    var priority: Priority?
  }

  private func values(in session: Session) throws -> Values {
    let values = Values(
      title: title.map { session.title($0.text) },
      due: try clearsDue ? nil : content.due.map { try session.dueDate($0.text) }, keepsTime: !noTime,
      wait: try content.waitTime(in: session),
      repetition: try content.repetition.map { try session.repetition($0.text) },
      reminders: content.remind.isEmpty ? nil : try session.reminders(content.remind),
      tags: try content.tags, untagged: try Failure.naming("--untag") { try untag.tags }, priority: try content.level)
    guard let repetition = values.repetition, repetition.time(in: session.zone) != nil else { return values }
    try repetition.check(values.due, of: "'--due'", in: session.zone)
    // A time in '--repeat' replaces that of the item.
    var replacing = values
    replacing.keepsTime = false
    return replacing
  }

  private func edit(of item: ToDoItem, _ values: Values, due: DueDate?) -> ItemEdit {
    var edit = ItemEdit()
    edit.title = values.title
    edit.due = clearsDue ? .clear : due.map { .set($0) } ?? .keep
    edit.itemDescription = .init(text: addedNote.map(item.note(appending:)) ?? content.note?.text, clears: noNote)
    edit.location = location
    edit.waitUntil = clearsWait ? .clear : values.wait.map { .set($0) } ?? .keep
    if editsTags { edit.tags = item.tags(adding: values.tags, removing: noTags ? item.tags : values.untagged) }
    if noPriority || content.priority != nil { edit.priority = values.priority.map(FieldEdit.set) ?? .clear }
    return edit
  }

  /// Sets how the item repeats: as the option says, or with `--following` as the new due date requires.
  private func setRepetition(
    _ typed: TypedRepetition?, of item: ToDoItem, _ edit: inout ItemEdit, in session: Session
  ) throws {
    if let typed {
      let given: DueDate? = if case .set(let due) = edit.due { due } else { item.due }
      let due = edit.due == .clear ? nil : typed.due(on: given, in: session.zone)
      edit.repetition = typed.repetition(from: due, in: session.zone).map { .set($0) } ?? .clear
      if let due, due != given { edit.due = .set(due) }
    }
    guard following, case .set(let new) = edit.due else { return }
    guard let old = item.due, let repetition = item.repetition else {
      throw Failure.usage("\(item.shortReference) doesn't repeat; omit '--following'")
    }
    let zone = session.rules(of: repetition)
    guard let moved = repetition.moved(from: old, to: new, in: zone) else {
      throw Failure.usage(
        "'\(repetition.rule.words(in: session.zone))' can't move to that date; set the new rule with '--repeat'")
    }
    edit.repetition = .set(moved)
  }

  /// The text that the option appends to the note. A plus before a digit is part of a number, such as +49 89 2180.
  private var addedNote: String? {
    guard let note = content.note?.text, note.hasPrefix("+") else { return nil }
    let text = note.dropFirst()
    return text.first?.isNumber == true ? nil : String(text.drop(while: \.isWhitespace))
  }

  /// Prints that only one occurrence has moved, if others follow.
  private func printNotice(ofMoved item: ToDoItem, _ edited: ToDoItem, in session: Session) {
    guard case .calendar = edited.repetition?.rule else { return }
    let hasMoved = content.due != nil && edited.due != item.due
    guard hasMoved, !following, content.repetition == nil else { return }
    session.printNotice("Moved only this occurrence; '--following' also moves the following ones.")
  }

  /// Prints what the user should know about the wait and the reminders of an item, if the edit concerns them.
  private func printNotices(of edit: ItemEdit, _ edited: ToDoItem, in session: Session) {
    guard edit.waitUntil != .keep || edit.due != .keep || edit.reminders != nil else { return }
    session.notices(of: edited.content).forEach(session.printNotice)
  }

  private func printNotice(ofKept times: [TimeOfDay], in session: Session) {
    guard let time = times.first else { return }
    let kept = times.allSatisfy { $0 == time } ? "time \(time)" : "times of day"
    session.printNotice("Kept the \(kept); '--no-time' drops \(kept.hasSuffix("day") ? "them" : "it").")
  }

  private func editForm(in session: Session) async throws {
    guard session.canPrompt, session.context.terminal.outputIsTerminal else {
      throw Failure.usage("nothing to change; specify at least one option, such as '--title'")
    }
    try await session.withConnection { connection in
      // What a viewer types would be lost.
      if connection.list?.role == .viewer { throw ToDoError.notPermitted(needed: .editor) }
      let service = connection.service
      var resolver = ItemResolver(session, service, words: words)
      let item = try await resolver.item(item)
      try await FormEdit(session: session, service: service, allowsDuplicate: allowDuplicate).run(item)
    }
  }

  private var location: LocationEdit {
    if noLocation { return .clear }
    let name = FieldEdit(text: content.place?.text, clears: noPlace)
    let address = FieldEdit(text: content.address?.text, clears: noAddress)
    let coordinate: FieldEdit<Coordinate> =
      clearsCoordinate ? .clear : content.at?.coordinate.map { .set($0) } ?? .keep
    if name == .keep && address == .keep && coordinate == .keep { return .keep }
    return .edit(name: name, address: address, coordinate: coordinate)
  }
}

extension ToDoItem {
  /// Returns the tags without some of them, and with others. Case does not distinguish tags.
  fileprivate func tags(adding added: [String], removing removed: [String]) -> [String] {
    let removed = Set(removed.map { $0.lowercased() })
    return Tag.unique(tags.filter { !removed.contains($0.lowercased()) } + added)
  }

  /// Returns the note with a line after it.
  fileprivate func note(appending text: String) -> String {
    guard let note = itemDescription, !note.isEmpty else { return text }
    return note + (note.hasSuffix("\n") ? "" : "\n") + text
  }
}

extension ItemEdit {
  /// Returns the due date of an item after the edit.
  fileprivate func dueAfter(_ due: DueDate?) -> DueDate? {
    switch self.due {
    case .keep: due
    case .clear: nil
    case .set(let new): new
    }
  }
}

extension FieldEdit where Value == String {
  /// Creates an edit from the options of a field. An empty text also clears the field.
  fileprivate init(text: String?, clears: Bool) {
    if clears || text?.isEmpty == true { self = .clear } else { self = text.map { .set($0) } ?? .keep }
  }
}
