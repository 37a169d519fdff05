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

      '--repeat' keeps the due date of an item that has one, and says so if the rule has no occurrence on it.

      On an item that repeats, '--due' moves this occurrence only, and '--following' also the following ones. All \
      other fields apply to every occurrence to come, unless you add '--this': this occurrence then becomes an item of its own \
      with the changes, and the item that repeats moves on to the next one.

      If '--due' gives only a day, an item that is due at a time keeps that time. '--note +TEXT' appends a line to the \
      note; a plus before a digit is part of a number. '--tag' adds tags to those that the item has. '--remind' replaces all \
      reminders, and '--remind none' removes them; 'todo help add' shows what it accepts.

      Without options, opens a form with the fields in $VISUAL, or else $EDITOR, or else vi. Needs a terminal.
      """)

  @Argument(help: ArgumentHelp(ItemReference.help, valueName: "item"))
  var item: [UserText]

  @Option(help: ArgumentHelp("The title.", valueName: "text"))
  var title: UserText?

  @OptionGroup var fields: EditOptions

  @Flag(help: "Edit the item even if an identical incomplete item exists.")
  var allowDuplicate = false

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  func validate() throws { try fields.check() }

  func run(in session: Session) async throws {
    if title == nil, fields.isEmpty { return try await editForm(in: session) }
    try checkTitle()
    let values = try fields.values(in: session)
    try await session.withService { service in
      let matcher = AddressMatcher(session, service, near: fields.content.near, takesFirst: fields.content.first)
      var (keptTimes, hasChanged) = ([TimeOfDay](), false)
      let outcome = try await session.forEachItem(
        item, words: words, choosingSeveral: title == nil, in: service
      ) { item in
        let kept = values.keepsTime ? values.due?.keepingTime(of: item.due, in: session.zone) : nil
        var edit = try edit(of: item, values, due: kept?.due ?? values.due, in: session)
        let match = try await matcher.match(edit.addressToLookUp(in: item))
        edit = match.map { edit.setting($0.place.coordinate, Location.Provenance(of: $0.place)) } ?? edit
        if let split = try split(edit, of: item, in: session) {
          hasChanged = true
          if let kept { keptTimes.append(kept.time) }
          return try await save(split, by: edit, off: item, match, in: service, session)
        }
        // The place of a kept address also belongs to this revision.
        let isOfRevision = fields.isOfRevision || match != nil && fields.content.address == nil
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
        printNotices(of: edit, item, edited, in: session)
        return edited
      }
      printNotice(ofKept: keptTimes, in: session)
      if hasChanged { session.printUndoHint() }
      try session.finish(outcome)
    }
  }

  /// Fails if several items would get the same title.
  private func checkTitle() throws {
    let references = try ItemReference.parse(item)
    guard title == nil || references.count == 1 && references[0].isSingle else {
      throw Failure.usage("'--title' needs one item, because two items can't have the same title")
    }
  }

  /// Returns an item's edit, without the coordinate of its address.
  private func edit(
    of item: ToDoItem, _ values: EditOptions.Values, due: DueDate?, in session: Session
  ) throws -> ItemEdit {
    var edit = fields.edit(of: item, values, due: due)
    edit.title = title.map { session.title($0.text) }
    try setRepetition(values.repetition, of: item, &edit, in: session)
    edit.reminders = values.reminders?.reminders(due: edit.dueAfter(item.due), keepingStatesOf: item.reminders)
    return edit
  }

  /// Returns the edit of only this occurrence; `nil` if the edit is of the item.
  private func split(_ edit: ItemEdit, of item: ToDoItem, in session: Session) throws -> OccurrenceSplit? {
    guard fields.this else { return nil }
    guard let repetition = item.repetition else {
      throw Failure.usage("\(item.shortReference) doesn't repeat; omit '--this'")
    }
    return OccurrenceSplit(edit, of: item, now: session.clock.now(), in: session.rules(of: repetition))
  }

  private func save(
    _ split: OccurrenceSplit, by edit: ItemEdit, off item: ToDoItem, _ match: AddressMatch?,
    in service: any ToDoService, _ session: Session
  ) async throws -> ToDoItem {
    let (occurrence, rest) = try await session.save(
      split, by: edit, off: item, allowingDuplicate: allowDuplicate, in: service)
    if !session.options.json { try session.printLine(occurrence, verb: "Added") }
    session.printMatch(match, of: occurrence)
    session.notices(of: occurrence.content).forEach(session.printNotice)
    if let text = session.nextText(before: item, after: rest) {
      session.printNotice("\(rest.shortReference) repeats without this occurrence: \(text)")
    }
    return occurrence
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
    guard !fields.following || item.repetition != nil else {
      throw Failure.usage("\(item.shortReference) doesn't repeat; omit '--following'")
    }
    guard fields.following, case .set(let new) = edit.due else { return }
    guard let old = item.due, let repetition = item.repetition else { return }
    let zone = session.rules(of: repetition)
    guard let moved = repetition.moved(from: old, to: new, in: zone) else {
      throw Failure.usage(
        "'\(repetition.rule.words(in: session.zone))' can't move to that date; set the new rule with '--repeat'")
    }
    edit.repetition = .set(moved)
  }

  /// Prints the effect of a new due date on the following occurrences, if there are any.
  private func printNotice(ofMoved item: ToDoItem, _ edited: ToDoItem, in session: Session) {
    guard let repetition = edited.repetition, case .calendar = repetition.rule else { return }
    let hasMoved = fields.content.due != nil && edited.due != item.due
    guard hasMoved, !fields.following, fields.content.repetition == nil else { return }
    session.printNotice(
      repetition.occurrence == nil
        ? "Moved to another occurrence; the following ones stay."
        : "Moved only this occurrence; '--following' also moves the following ones.")
  }

  /// Prints that the due date stayed, although it is none of the new rule's days.
  private func printNotice(ofKeptDateOf edited: ToDoItem, in session: Session) {
    guard fields.content.repetition != nil, fields.content.due == nil, let due = edited.due,
      let repetition = edited.repetition, let day = repetition.firstDay(after: due, in: session.rules(of: repetition))
    else { return }
    let text = due.confirmationText(today: session.context.today, in: session.zone)
    session.printNotice(
      """
      Still due \(text), and after that on the days of the rule; 'todo edit \(edited.shortReference) --due \(day)' \
      begins on the first of them.
      """)
  }

  /// Prints notices about the occurrences, the wait and the reminders of an item, if the edit concerns them.
  private func printNotices(of edit: ItemEdit, _ item: ToDoItem, _ edited: ToDoItem, in session: Session) {
    printNotice(ofMoved: item, edited, in: session)
    printNotice(ofKeptDateOf: edited, in: session)
    guard edit.waitUntil != .keep || edit.due != .keep || edit.reminders != nil else { return }
    session.notices(of: edited.content).forEach(session.printNotice)
  }

  private func printNotice(ofKept times: [TimeOfDay], in session: Session) {
    guard let time = times.first else { return }
    let kept = times.allSatisfy { $0 == time } ? "time \(time)" : "times of day"
    session.printNotice("Kept the \(kept); '--no-time' drops \(kept.hasSuffix("day") ? "them" : "it").")
  }

  private func editForm(in session: Session) async throws {
    guard !fields.this, !fields.following else {
      throw Failure.usage("specify what to change besides '\(fields.this ? "--this" : "--following")'")
    }
    guard session.canPrompt, session.context.terminal.outputIsTerminal else {
      throw Failure.usage("nothing to change; specify at least one option, such as '--title'")
    }
    try await session.withConnection { connection in
      // The text that a viewer types would be lost.
      if connection.list?.role == .viewer { throw ToDoError.notPermitted(needed: .editor) }
      let service = connection.service
      var resolver = ItemResolver(session, service, words: words)
      let item = try await resolver.item(item)
      try await FormEdit(session: session, service: service, allowsDuplicate: allowDuplicate).run(item)
    }
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
