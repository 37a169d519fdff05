import Synchronization
import ToDoClient
import ToDoModel

/// Watches the items of the list that the screens show, and the lists themselves unless that is the default list, which cannot
/// be deleted.
final class ShownListWatch: Sendable {
  private let lists: any ToDoListService
  private let queue: EventQueue
  private let tasks = Mutex<[Task<Void, Never>]>([])

  init(_ lists: any ToDoListService, _ queue: EventQueue) {
    (self.lists, self.queue) = (lists, queue)
  }

  /// Watches a list instead of the one before.
  ///
  /// - Parameter service: the items of the list.
  func show(_ list: ListID, _ service: any ToDoService) {
    tasks.withLock { tasks in
      for task in tasks { task.cancel() }
      let watch = queue.beginWatch()
      tasks = [Task { [queue] in await service.watchItems(queue, watch) }]
      if !list.isDefault { tasks.append(Task { [lists, queue] in await lists.watchAll(queue) }) }
    }
  }

  /// Ends the watches, and waits for their end.
  func stop() async {
    let tasks = tasks.withLock { tasks in
      defer { tasks = [] }
      return tasks
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
