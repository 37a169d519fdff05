import Synchronization
import ToDoClient
import ToDoModel

/// Watches the items of the list that the screens show. Also watches the lists themselves: always once the screens show them, and
/// until then while the list is not the default one, which cannot be deleted.
final class ShownListWatch: Sendable {
  private let lists: any ToDoListService
  private let queue: EventQueue
  private let state = Mutex(State())

  private struct State {
    var items: Task<Void, Never>?
    var lists: Task<Void, Never>?
    /// Whether the lists are watched whichever list is shown.
    var keepsLists = false
  }

  init(_ lists: any ToDoListService, _ queue: EventQueue) {
    (self.lists, self.queue) = (lists, queue)
  }

  /// Watches a list instead of the one before.
  ///
  /// - Parameter service: the list's items.
  func show(_ list: ListID, _ service: any ToDoService) {
    state.withLock { state in
      state.items?.cancel()
      let watch = queue.beginWatch()
      state.items = Task { [queue] in await service.watchItems(queue, watch) }
      if !state.keepsLists { restartLists(&state, isNeeded: !list.isDefault) }
    }
  }

  /// Watches the lists from now on, whichever list is shown. The first event has all of them.
  func watchLists() {
    state.withLock { state in
      state.keepsLists = true
      restartLists(&state, isNeeded: true)
    }
  }

  private func restartLists(_ state: inout State, isNeeded: Bool) {
    state.lists?.cancel()
    state.lists = isNeeded ? Task { [lists, queue] in await lists.watchAll(queue) } : nil
  }

  /// Ends the watches, and waits for their end.
  func stop() async {
    let tasks = state.withLock { state in
      defer { state = State() }
      return [state.items, state.lists].compactMap(\.self)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}

extension ToDoService {
  fileprivate func watchItems(_ queue: EventQueue, _ watch: Int) async {
    do {
      try await watchContinuously(from: .snapshot) { try await queue.put($0, of: watch) }
      queue.end(.success(()), of: watch)
    } catch {
      queue.end(.failure(error), of: watch)
    }
  }
}

extension ToDoListService {
  /// Puts the lists into the queue after each change. An error ends that; the watch of the items reports it, too.
  fileprivate func watchAll(_ queue: EventQueue) async {
    do {
      for try await lists in watchLists() {
        try Task.checkCancellation()
        queue.put { $0.add(lists) }
      }
    } catch {}
  }
}
