import ToDoClient
import ToDoModel

/// The lists whose reminders the user is told about, each with a board and a watch of its items.
struct RemindedBoards {
  /// The end of a watch.
  struct End: Sendable {
    let list: ListID
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
    fileprivate let watch: Task<Void, Never>
  }

  /// The lists in order.
  private(set) var elements: [Element] = []
  /// Whether the lists are known.
  private var areListsKnown = false

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
        known.list = list
        return known
      }
      let watch = Task { await Self.watch(list, emit) }
      return Element(list: list, board: ReminderBoard(schedule: schedule), watch: watch)
    }
    for old in former where !lists.contains(where: { $0.list.id == old.list.list.id }) { old.watch.cancel() }
  }

  private static func watch(_ list: RemindedList, _ emit: @Sendable (Event) -> Void) async {
    let id = list.list.id
    do {
      try await list.service.watchContinuously(from: .snapshot, state: .toDo) { emit(.items(id, $0)) }
      emit(.ended(End(list: id, error: nil)))
    } catch {
      // A list that was left is not missed.
      if !Task.isCancelled { emit(.ended(End(list: id, error: error))) }
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

  /// Removes a list whose watch has ended.
  mutating func remove(_ list: ListID) { elements.removeAll { $0.list.list.id == list } }

  /// Ends the watches, and waits for their end.
  func stop() async {
    for element in elements { element.watch.cancel() }
    for element in elements { await element.watch.value }
  }
}
