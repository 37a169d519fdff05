import ToDoClient
import ToDoModel

/// The lists whose reminders the user is told about, each with a board and a watch of its items.
struct RemindedBoards {
  /// The end of a watch.
  struct End: Sendable {
    /// The number of the watch.
    let watch: Int
    /// `nil` if the service ended the watch.
    let error: (any Error)?
  }

  /// An event of the watches.
  enum Event: Sendable {
    case items(ListID, WatchEvent)
    case ended(End)
  }

  /// A list with its board.
  struct Element {
    var list: RemindedList
    var board: ReminderBoard
    fileprivate let watch: Watch
    /// Whether the list is watched again because it was not found.
    fileprivate var isWatchedAgain = false
  }

  /// A watch of a list's items, with a number that no other watch has.
  fileprivate struct Watch {
    let number: Int
    let task: Task<Void, Never>
  }

  /// The lists in order.
  private(set) var elements: [Element] = []
  /// Whether the lists are known.
  private var areListsKnown = false
  private var watchCount = 0

  /// Whether the lists and all their items are known.
  var isComplete: Bool { areListsKnown && elements.allSatisfy(\.board.isComplete) }

  /// The number of reminders that the user is still to be told about.
  var count: Int { elements.reduce(0) { $0 + $1.board.count } }

  /// The earliest time at which the user is to be told about a reminder.
  var nextTime: Timestamp? { elements.lazy.compactMap(\.board.nextTime).min() }

  /// Watches the items of these lists from now on, and of no others.
  mutating func update(
    _ lists: [RemindedList], _ schedule: ReminderSchedule, _ emit: @escaping @Sendable (Event) -> Void
  ) {
    let former = elements
    areListsKnown = true
    elements = lists.map { list in
      if var known = former.first(where: { $0.list.list.id == list.list.id }) {
        (known.list, known.isWatchedAgain) = (list, false)
        return known
      }
      return watching(list, schedule, emit)
    }
    for old in former where !lists.contains(where: { $0.list.id == old.list.list.id }) { old.watch.task.cancel() }
  }

  private mutating func watching(
    _ list: RemindedList, _ schedule: ReminderSchedule, _ emit: @escaping @Sendable (Event) -> Void
  ) -> Element {
    watchCount += 1
    let number = watchCount
    let task = Task { await Self.watch(list, number, emit) }
    return Element(
      list: list, board: ReminderBoard(schedule: schedule), watch: Watch(number: number, task: task))
  }

  private static func watch(_ list: RemindedList, _ number: Int, _ emit: @Sendable (Event) -> Void) async {
    let id = list.list.id
    do {
      try await list.service.watchContinuously(from: .snapshot, state: .toDo) { emit(.items(id, $0)) }
      emit(.ended(End(watch: number, error: nil)))
    } catch {
      // A list that was left is not missed.
      if !Task.isCancelled { emit(.ended(End(watch: number, error: error))) }
    }
  }

  mutating func apply(_ event: WatchEvent, to list: ListID) {
    guard let index = elements.firstIndex(where: { $0.list.list.id == list }) else { return }
    elements[index].board.apply(event)
  }

  /// Changes a board.
  mutating func change<Value>(_ index: Int, _ body: (inout ReminderBoard) async throws -> Value) async rethrows -> Value
  {
    try await body(&elements[index].board)
  }

  /// Watches a list once more whose watch has ended because the list was not found, or removes it at the second such end.
  ///
  /// A list that was deleted and restored, or left and shared again, may be there both before and after, in what the user learns of
  /// the lists. The watch of its items ends nevertheless.
  mutating func watchAgain(
    after end: End, _ schedule: ReminderSchedule, _ emit: @escaping @Sendable (Event) -> Void
  ) {
    guard let index = elements.firstIndex(where: { $0.watch.number == end.watch }) else { return }
    guard !elements[index].isWatchedAgain else {
      elements.remove(at: index)
      return
    }
    elements[index] = watching(elements[index].list, schedule, emit)
    elements[index].isWatchedAgain = true
  }

  /// Ends the watches, and waits for their end.
  func stop() async {
    for element in elements { element.watch.task.cancel() }
    for element in elements { await element.watch.task.value }
  }
}
