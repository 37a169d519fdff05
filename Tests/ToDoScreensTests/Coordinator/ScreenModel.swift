import ToDoModel
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

/// The screens with a user, a service, other clients and a terminal that act at random.
struct ScreenModel {
  private(set) var bench: CoordinatorBench
  private var random: SeededGenerator
  /// The service's list.
  private var items: [ItemID: ToDoItem] = [:]
  private var revision: Int64 = 1
  private var lastNumber: UInt64 = 0
  /// The lists, which all contain the same items.
  private var lists = ListSet(version: 1, lists: [.inbox])
  private var shownList = ListID.default
  /// The results that have not arrived.
  private var results: [EffectResult] = []
  private var timers: Set<ScreenTimer> = []
  private var painter = ScreenPainter(theme: ScreenTheme(depth: .sixteen))
  private var terminal: SimulatedTerminal

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    bench = CoordinatorBench(rows: 12, columns: 40)
    terminal = SimulatedTerminal(bench.environment.size)
    start()
  }

  /// Starts the program, with a list of some items.
  private mutating func start() {
    bench.coordinator = Coordinator(ListScreen(showing: .all, filter: ListFilter()))
    (results, timers, shownList) = ([], [], .default)
    emitSnapshot()
  }

  private mutating func emitSnapshot() {
    send(.watch(.restarted))
    send(.watch(.snapshotPage(items.values.sorted { $0.id < $1.id })))
    send(.watch(.snapshotEnd(Revision(revision))))
  }

  /// Performs a random step.
  mutating func step() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<62: send(.key(randomKey()))
    case 62..<65:
      send(
        .paste(
          ["oat\nmilk", "sat 9:30", "東京", "", "\u{301}", "שלום", " @Rossi", "thursday 28 november"].randomElement(
            using: &random) ?? ""))
    case 65..<70: send(.pointer(randomPointer()))
    case 70..<80: changeElsewhere()
    case 80..<84: resize()
    case 84..<86: changeConnection()
    case 86..<92: receiveResult()
    case 92..<97: if let timer = timers.popFirst() { send(.timer(timer)) }
    case 97: emitSnapshot()
    case 98: passMinute()
    case 99 where Int.random(in: 0..<4, using: &random) == 0: deleteList()
    default: bench.environment.uptime += .milliseconds(700)
    }
  }

  private mutating func send(_ event: ScreenEvent) {
    for effect in bench.coordinator.handle(event, bench.environment) { perform(effect) }
  }

  // MARK: - The user and the terminal

  private static let keys: [KeyPress] =
    [
      .enter, .enter, .escape, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .down, .left, .right, .pageUp,
      .pageDown, .home, .end, .control("s"), .control("s"), .control("u"), .control("w"), .control("l"), .control("g"),
      .controlUp, .controlDown, .control("x"),
    ] + "aeADdyy dusmnf/?+-0q#129yjkgGoö日LLrpSMMxsv[]".map(KeyPress.character)

  private mutating func randomKey() -> KeyPress { Self.keys.randomElement(using: &random) ?? .escape }

  private mutating func randomPointer() -> PointerEvent {
    let kind: PointerEvent.Kind = [.click, .click, .wheelUp, .wheelDown].randomElement(using: &random) ?? .click
    let size = bench.environment.size
    let row = Int.random(in: 0...size.rows, using: &random)
    return PointerEvent(
      kind: kind, position: ScreenPosition(row: row, column: Int.random(in: 0...size.columns, using: &random)))
  }

  private mutating func resize() {
    let sizes = [(8, 30), (12, 40), (24, 80), (1, 10), (5, 61), (30, 100), (2, 2), (20, 150), (40, 200)]
    let (rows, columns) = sizes.randomElement(using: &random) ?? (8, 30)
    bench.environment.size = WindowSize(rows: rows, columns: columns)
    (painter, terminal) = (
      ScreenPainter(theme: ScreenTheme(depth: .sixteen)), SimulatedTerminal(bench.environment.size)
    )
    send(.resized)
  }

  private mutating func passMinute() {
    bench.environment.now = Timestamp(microseconds: bench.environment.now.microseconds + 60_000_000)
    bench.environment.dates = DueDateParser(now: bench.environment.now, zone: bench.environment.zone)
    send(.minutePassed)
  }

  private mutating func changeConnection() {
    let states: [ServiceLink] = [.connected, .connected, .connected, .connecting, .lost(since: Sample.start)]
    bench.environment.connection = states.randomElement(using: &random) ?? .connected
    send(.connection(bench.environment.connection))
  }
}

// MARK: - The service

extension ScreenModel {
  private mutating func changeElsewhere() {
    let known = items.keys.sorted().randomElement(using: &random)
    if let known, Int.random(in: 0..<3, using: &random) == 0 { return _ = delete(known) }
    let isNew = known == nil || items.count < 12 && Bool.random(using: &random)
    if isNew { lastNumber += 1 }
    let number = isNew ? lastNumber : UInt64(known.flatMap { items[$0]?.number.value } ?? 1)
    put(ListScreenBench.randomItem(number, revision: revision + 1, &random), isNew ? .added : .edited)
  }

  @discardableResult
  private mutating func put(_ item: ToDoItem, _ cause: PutCause) -> ToDoItem {
    revision += 1
    var item = item
    item.revision = Revision(revision)
    items[item.id] = item
    send(.watch(.changes(ChangeSet(revision: Revision(revision), changes: [.put(item, cause)]))))
    return item
  }

  private mutating func delete(_ id: ItemID) -> Revision {
    guard let item = items.removeValue(forKey: id) else { return Revision(revision) }
    revision += 1
    let deletion = ItemDeletion(
      id: id, wasDone: item.isDone, revision: Revision(revision), deletedAt: Sample.start)
    send(.watch(.changes(ChangeSet(revision: Revision(revision), changes: [.deleted(deletion)]))))
    return Revision(revision)
  }

  private mutating func receiveResult() {
    guard !results.isEmpty else { return }
    send(.result(results.removeFirst()))
  }

  private mutating func randomFailure() -> EffectFailure? {
    guard Int.random(in: 0..<4, using: &random) == 0 else { return nil }
    let kinds: [EffectFailure.Kind] = [
      .addressNotFound, .lookupFailed, .duplicate, .changedElsewhere, .unreachable, .other,
    ]
    return EffectFailure(kind: kinds.randomElement(using: &random) ?? .other, message: "it failed")
  }

  private mutating func add(_ content: ItemContent, _ failure: EffectFailure?) {
    lastNumber += 1
    var item = ListScreenBench.item(lastNumber)
    item.content = content
    results.append(.saved(failure.map(Result.failure) ?? .success(put(item, .added))))
  }

  private mutating func perform(_ effect: Effect) {
    let failure = randomFailure()
    switch effect {
    case .check(let id, _): respond(id, .checked, isDone: true, failure)
    case .uncheck(let id): respond(id, .unchecked, isDone: false, failure)
    case .delete(let id): results.append(.changed(id, .deleted, failure.map(Result.failure) ?? .success(delete(id))))
    case .deleteAll(let selection):
      let ids = items.values.filter { selection == .all || $0.isDone }.map(\.id).sorted()
      if let failure { return results.append(.deletedAll(selection, .failure(failure))) }
      for id in ids { _ = delete(id) }
      let deletion = BulkDeletionResult(deletedCount: ids.count, revision: Revision(revision))
      results.append(.deletedAll(selection, .success(deletion)))
    case .revert:
      let reversal = Reversal(revision: Revision(revision), revertedCount: Int.random(in: 0...1, using: &random))
      results.append(.reverted(failure.map(Result.failure) ?? .success(reversal)))
    case .add(let content, _): add(content, failure)
    case .split(_, let split, _, _): add(split.occurrence, failure)
    case .addElsewhere(let content, _, let list):
      var item = ListScreenBench.item(99)
      item.content = content
      results.append(.addedElsewhere(list, failure.map(Result.failure) ?? .success(item)))
    case .update(let id, _, _, _):
      guard let item = items[id] else { return results.append(.saved(.failure(failure ?? Self.gone))) }
      results.append(.saved(failure.map(Result.failure) ?? .success(put(item, .edited))))
    case .setSteps(let id, let steps, let revision):
      guard var item = items[id], item.revision == revision else {
        return results.append(.stepsSet(id, .failure(failure ?? Self.gone)))
      }
      item.content.steps = steps
      results.append(.stepsSet(id, failure.map(Result.failure) ?? .success(put(item, .edited))))
    case .reschedule(let id, let edit, let revision, let action):
      guard var item = items[id], item.revision == revision, failure == nil else {
        return results.append(.changed(id, action, .failure(failure ?? Self.gone)))
      }
      if case .set(let due) = edit.due { item.content.due = due }
      results.append(.changed(id, action, .success(put(item, .edited).revision)))
    case .move(let id, _, let list):
      results.append(.changed(id, .moved(to: list.name), failure.map(Result.failure) ?? .success(delete(id))))
    case .geocode(let query): results.append(.geocoded(query, failure.map(Result.failure) ?? .success(Self.nowhere)))
    case .locate(let place):
      let matches = Int.random(in: 0...2, using: &random)
      results.append(.located(place, Array(Self.matches(place).prefix(matches))))
    case .readHistory(let id): results.append(.historyRead(id, failure.map(Result.failure) ?? .success([])))
    case .sort(let rows, let order): results.append(.sorted(order, order.sorted(rows).map(\.item.id)))
    case .open(let url): results.append(.notOpened(url: url))
    case .readLists: results.append(.listsRead(failure.map(Result.failure) ?? .success(lists)))
    case .countItems(let ids):
      let counts = ListCounts(toDo: items.values.count { !$0.isDone })
      if failure == nil { results.append(.itemsCounted(Dictionary(ids.map { ($0, counts) }) { $1 })) }
    case .watchLists: results.append(.listsRead(.success(lists)))
    case .readInvitations:
      var invitation = UserList(id: Sample.list(77), name: "Ann's", version: 1)
      (invitation.role, invitation.ownerUser, invitation.isInvitation) = (.editor, "ann", true)
      results.append(.invitationsRead(failure.map(Result.failure) ?? .success([invitation])))
    case .changeSharing(let list, let change): respond(list, change, failure)
    case .createList(let name): respond(UserList(id: Sample.list(UInt64(lists.lists.count)), name: name), failure)
    case .renameList(let id, let name, _): respond(UserList(id: id, name: name), failure)
    case .showList(let id):
      shownList = id
      emitSnapshot()
    case .startTimer(let timer, _): timers.insert(timer)
    case .cancelTimer(let timer): timers.remove(timer)
    case .quit: start()
    case .cancelGeocoding, .copy, .storeDraft, .redraw: break
    }
  }

  private mutating func respond(_ list: UserList, _ failure: EffectFailure?) {
    if failure == nil { lists.lists = lists.lists.filter { $0.id != list.id } + [list] }
    results.append(.listSaved(failure.map(Result.failure) ?? .success(list)))
  }

  private mutating func respond(_ list: UserList, _ change: ListSharingChange, _ failure: EffectFailure?) {
    if let failure { return results.append(.sharingChanged(list, change, .failure(failure))) }
    var changed = list
    changed.isInvitation = false
    switch change {
    case .shared(let user, let role):
      changed.members = changed.members.filter { $0.user != user } + [ListMember(user: user, role: role)]
    case .unshared(let user): changed.members.removeAll { $0.user == user }
    case .accepted, .declined, .left: break
    }
    lists.lists.removeAll { $0.id == list.id }
    if change != .left, change != .declined { lists.lists.append(changed) }
    results.append(.sharingChanged(list, change, .success(changed)))
  }

  /// Deletes the list that is shown, unless it is the default list.
  private mutating func deleteList() {
    guard !shownList.isDefault else { return }
    lists.lists.removeAll { $0.id == shownList }
    send(.listDeleted)
  }

  private static func matches(_ place: String) -> [AddressMatch] {
    FormBench.candidates.map { AddressMatch(address: place, place: $0) }
  }

  private static let nowhere = GeocodeResult(candidates: [], attribution: "")
  private static let gone = EffectFailure(kind: .changedElsewhere, message: "the item was deleted elsewhere")

  private mutating func respond(_ id: ItemID, _ action: ItemAction, isDone: Bool, _ failure: EffectFailure?) {
    if let failure { return results.append(.changed(id, action, .failure(failure))) }
    guard var item = items[id] else { return results.append(.changed(id, action, .failure(Self.gone))) }
    item.completedAt = isDone ? Sample.start : nil
    results.append(.changed(id, action, .success(put(item, isDone ? .checked : .unchecked).revision)))
  }
}

// MARK: - What must always hold

extension ScreenModel {
  /// Returns a description of what does not hold, or `nil`.
  var violation: String? {
    let (window, size) = (bench.window, bench.environment.size)
    if window.lines.count != size.rows { return "\(window.lines.count) lines in \(size.rows) rows" }
    let list = bench.coordinator.list
    if let selected = list.current {
      if items[selected.item.id] != selected.item { return "the selected item is not current" }
      if list.sections.index(of: selected) == nil, !list.sections.hasWork { return "the selected item is not shown" }
    } else if list.sections.count > 0 {
      return "no item is selected"
    }
    if let cursor = window.cursor, !(0..<size.rows).contains(cursor.row) || !(0..<size.columns).contains(cursor.column)
    {
      return "the cursor is outside of the window"
    }
    return nil
  }

  /// Draws the window, and returns whether it looks as on a terminal that shows nothing else.
  mutating func drawsTheState() -> Bool {
    let window = bench.window
    terminal.feed(painter.output(lines: window.lines, cursor: window.cursor, size: bench.environment.size))
    let fresh = bench.shown(theme: ScreenTheme(depth: .sixteen))
    return terminal.styledText == fresh.styledText && terminal.skipped.isEmpty
  }
}
