import Synchronization
import ToDoModel
import ToDoScreens
import ToDoText

/// Performs the effects of the screens with a service, and puts their results into the queue.
///
/// | effects | concurrency |
/// | --- | --- |
/// | changes of items and lists | one after the other, in order; at most `changeLimit` are pending, and further ones fail |
/// | geocoding, locating, history, lists, counts, invitations, sorting, opening a page | one of each at a time; a new one cancels the earlier one |
final class EffectPerformer: Sendable {
  let lists: any ToDoListService
  let context: CommandContext
  let queue: EventQueue
  /// Finds the places that the place in a sentence can mean as an address.
  private let places: @Sendable (any ToDoService, String) async -> [AddressMatch]
  private let state: Mutex<State>

  private struct State {
    /// The items of the list that is shown.
    var service: any ToDoService
    /// The changes, each with the items of the list that was shown when it began.
    var changes: [(effect: Effect, service: any ToDoService)] = []
    /// The task that makes the changes. `nil` while none is pending.
    var changing: Task<Void, Never>?
    /// The tasks that a new effect of their kind cancels.
    var latest: [Slot: (number: Int, task: Task<Void, Never>)] = [:]
    var lastNumber = 0
    /// The ID of the item that the form adds, until the item is added or the form is closed.
    ///
    /// A save that is repeated after a lost response has the same ID, so that the service recognizes it as a retry.
    var newItem: (id: ItemID, list: ListID?)?
    /// The list that is being created, until that has succeeded, for the same reason.
    var newList: NewList?
    var isStopped = false
  }

  /// A kind of effect of which only the latest counts.
  private enum Slot: Hashable {
    case geocoding, locating, history, lists, counts, invitations, sorting, opening
  }

  /// The maximum number of pending changes.
  static let changeLimit = 100

  /// - Parameters:
  ///   - service: the items of the list that is shown first.
  ///   - lists: the lists of the same user.
  init(
    _ service: any ToDoService, lists: any ToDoListService, _ context: CommandContext, _ queue: EventQueue,
    places: @escaping @Sendable (any ToDoService, String) async -> [AddressMatch] = { _, _ in [] }
  ) {
    (self.lists, self.context, self.queue, self.places) = (lists, context, queue, places)
    state = Mutex(State(service: service))
  }

  /// The items of the list that is shown.
  var service: any ToDoService { state.withLock(\.service) }

  /// Starts an effect. Effects that are not operations of a service have no effect here.
  func perform(_ effect: Effect) {
    switch effect {
    case .check, .uncheck, .delete, .deleteAll, .revert, .add, .addElsewhere, .update, .split, .setSteps, .reschedule,
      .move, .createList, .changeSharing,
      .renameList:
      enqueue(effect)
    case .showList(let list): show(list)
    case .readInvitations: start(.invitations) { [lists] in await lists.currentInvitations() }
    case .readLists: start(.lists) { [lists] in await lists.currentLists() }
    case .countItems(let ids): start(.counts) { [lists, context] in await lists.counts(of: ids, in: context) }
    case .geocode(let query):
      start(.geocoding) { [service, context] in await service.result(of: query, in: context) }
    case .locate(let place): start(.locating) { [places, service] in .located(place, await places(service, place)) }
    case .cancelGeocoding: cancel(.geocoding)
    case .readHistory(let id): start(.history) { [service] in await service.recentHistory(of: id) }
    case .sort(let items, let order): start(.sorting) { .sorted(order, order.sorted(items).map(\.item.id)) }
    case .open(let url): start(.opening) { [context] in await context.open(url) ? nil : .notOpened(url: url) }
    case .copy, .storeDraft, .startTimer, .cancelTimer, .watchLists, .redraw, .quit: break
    }
  }

  /// Performs the next effects on the items of another list. Changes that are pending remain in their list.
  private func show(_ list: ListID) {
    for slot: Slot in [.history, .sorting] { cancel(slot) }
    state.withLock { $0.service = lists.items(in: list) }
  }

  /// Whether any change is pending.
  var hasPendingChanges: Bool { state.withLock { $0.changing != nil } }

  /// Whether any effect is pending.
  var hasPendingEffects: Bool { state.withLock { $0.changing != nil || !$0.latest.isEmpty } }

  /// Discards the ID of the item that the form adds, because the form was closed.
  func endNewItem() { state.withLock { $0.newItem = nil } }

  /// Cancels all effects, and waits for their end, except for a browser that is starting.
  func stop() async {
    let (cancelled, awaited) = state.withLock { state in
      state.isStopped = true
      state.changes = []
      let latest = state.latest.filter { $0.key != .opening }.values.map(\.task)
      return (state.latest[.opening]?.task, latest + [state.changing].compactMap(\.self))
    }
    cancelled?.cancel()
    for task in awaited { task.cancel() }
    for task in awaited { await task.value }
  }
}

// MARK: - Latest effects

extension EffectPerformer {
  /// Starts an effect, and cancels the earlier one of the slot.
  private func start(_ slot: Slot, _ body: @escaping @Sendable () async -> EffectResult?) {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.lastNumber += 1
      let number = state.lastNumber
      state.latest[slot]?.task.cancel()
      state.latest[slot] = (number, Task { [self] in finish(slot, number, await body()) })
    }
  }

  /// Puts a result into the queue, unless the effect was canceled.
  private func finish(_ slot: Slot, _ number: Int, _ result: EffectResult?) {
    state.withLock { state in
      guard state.latest[slot]?.number == number else { return }
      state.latest[slot] = nil
      // Inside the lock, so that no effect has ended whose result is not in the queue.
      queue.put { if let result { $0.results.append(result) } }
    }
  }

  private func cancel(_ slot: Slot) {
    state.withLock { $0.latest.removeValue(forKey: slot)?.task.cancel() }
  }
}

// MARK: - Changes

extension EffectPerformer {
  private func enqueue(_ change: Effect) {
    let isAdded = state.withLock { state in
      guard !state.isStopped, state.changes.count < Self.changeLimit else { return false }
      state.changes.append((change, state.service))
      if state.changing == nil { state.changing = Task { [self] in await makeChanges() } }
      return true
    }
    guard !isAdded, let result = change.result(of: .tooManyChanges) else { return }
    queue.put { $0.results.append(result) }
  }

  /// Makes the pending changes, until none is left.
  private func makeChanges() async {
    while let (change, service) = nextChange() {
      let result = await result(of: change, in: service)
      if change.isAdd, result?.isSaved == true { endNewItem() }
      endChange(result)
    }
  }

  private func nextChange() -> (Effect, any ToDoService)? { state.withLock(\.changes.first) }

  /// Removes the first change, and puts its result into the queue.
  private func endChange(_ result: EffectResult?) {
    state.withLock { state in
      if !state.changes.isEmpty { state.changes.removeFirst() }
      if state.changes.isEmpty { state.changing = nil }
      // Inside the lock, so that no change has ended whose result is not in the queue.
      queue.put { if let result { $0.results.append(result) } }
    }
  }

  private func result(of change: Effect, in service: any ToDoService) async -> EffectResult? {
    do {
      return try await performChange(change, in: service)
    } catch {
      guard let target = change.otherList else { return change.result(of: await service.failure(error)) }
      // An identical item is in the other list.
      let printed = PrintedList(target, named: target.name.replacing(" ", with: "-").escapingControls())
      return await PrintedList.$current.withValue(printed) {
        change.result(of: await lists.items(in: target.id).failure(error))
      }
    }
  }

  private func performChange(_ change: Effect, in service: any ToDoService) async throws -> EffectResult? {
    switch change {
    case .check(let id, let ifRevision):
      return .changed(id, .checked, .success(try await service.checkItem(id, ifRevision: ifRevision).revision))
    case .uncheck(let id):
      return .changed(id, .unchecked, .success(try await service.uncheckItem(id, ifRevision: nil).revision))
    case .delete(let id):
      return .changed(id, .deleted, .success(try await service.deleteItem(id, ifRevision: nil)))
    case .deleteAll(let selection):
      return .deletedAll(selection, .success(try await service.deleteItems(selection)))
    case .revert(let revision): return .reverted(.success(try await service.revertRevision(revision)))
    case .add(let content, let options):
      let item = NewItem(id: idOfNewItem(in: nil), content: content)
      return .saved(.success(try await service.addItem(item, options: options)))
    case .addElsewhere(let content, let options, let list):
      let item = NewItem(id: idOfNewItem(in: list.id), content: content)
      return .addedElsewhere(list, .success(try await lists.items(in: list.id).addItem(item, options: options)))
    case .update(let id, let edit, let revision, let options):
      return .saved(.success(try await service.updateItem(id, edit, ifRevision: revision, options: options)))
    case .split(let id, let split, let revision, let options):
      return .saved(.success(try await self.split(split, off: id, ifRevision: revision, options, in: service)))
    case .setSteps(let id, let steps, let revision):
      var edit = ItemEdit()
      edit.steps = steps
      return .stepsSet(
        id,
        .success(
          try await service.updateItem(id, edit, ifRevision: revision, options: SaveOptions(allowsDuplicate: true))))
    case .reschedule(let id, let edit, let revision, let action):
      let options = SaveOptions(allowsDuplicate: true)
      let item = try await service.updateItem(id, edit, ifRevision: revision, options: options)
      return .changed(id, action, .success(item.revision))
    case .move(let id, let source, let target):
      let moved = try await lists.moveItems([id], from: source, to: target.id, allowingDuplicate: false)
      let move = ListMove(list: target.id, revision: moved.first?.revision ?? .initial)
      return .changed(id, .moved(to: target.name), .success(await service.revision(of: move)))
    default: return try await performListChange(change)
    }
  }

  private func performListChange(_ change: Effect) async throws -> EffectResult? {
    switch change {
    case .changeSharing(let list, let change):
      return .sharingChanged(list, change, .success(try await lists.changeSharing(of: list.id, change)))
    case .createList(let name): return .listSaved(.success(try await createList(name)))
    case .renameList(let id, let name, let version):
      return .listSaved(.success(try await lists.updateList(id, ListEdit(name: name), ifVersion: version)))
    default: return nil
    }
  }

  /// Splits an occurrence off, and returns it. The item that repeats has a result of its own, because both can be undone.
  private func split(
    _ split: OccurrenceSplit, off id: ItemID, ifRevision revision: Revision, _ options: SaveOptions,
    in service: any ToDoService
  ) async throws -> ToDoItem {
    do {
      let (occurrence, rest) = try await service.split(
        split, off: id, ifRevision: revision, as: idOfNewItem(in: nil), options: options)
      queue.put { $0.results.append(.changed(id, .skipped, .success(rest.revision))) }
      return occurrence
    } catch let error as ToDoError {
      // The ID of an occurrence that was removed again cannot be added again.
      endNewItem()
      throw error
    } catch let error as InterruptedSplit {
      // The form stays open, and saves the same occurrence again, unless that may have been removed.
      if error.removal != nil { endNewItem() }
      throw error.cause
    }
  }

  private func createList(_ name: String) async throws -> UserList {
    let new = state.withLock { state in
      let list = state.newList.flatMap { $0.name == name ? $0 : nil } ?? NewList(name: name)
      state.newList = list
      return list
    }
    let created = try await lists.createList(new)
    state.withLock { $0.newList = nil }
    return created
  }

  /// Returns the ID of the item that the form adds.
  ///
  /// - Parameter list: the list, or `nil` for the one that is shown.
  private func idOfNewItem(in list: ListID?) -> ItemID {
    let new = context.makeID(context.clock.now())
    return state.withLock { state in
      let id = state.newItem.flatMap { $0.list == list ? $0.id : nil } ?? new
      state.newItem = (id, list)
      return id
    }
  }
}
