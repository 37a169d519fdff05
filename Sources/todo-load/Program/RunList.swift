import ToDoModel

/// The list to which a run moves items. Runs use the same one again, because a deleted list counts as one of the user's lists for
/// 30 days.
struct RunList: Sendable {
  static let name = "todo-load"

  let lists: any ToDoListService
  let id: ListID
  /// Whether the list existed before, and so remains.
  let isKept: Bool

  /// Finds, restores or creates the list.
  ///
  /// - Throws: The errors of the service, also if it has only one list.
  init(in lists: any ToDoListService) async throws {
    self.lists = lists
    let found = try await lists.lists(includingDeleted: true).lists.first { $0.name == Self.name }
    if let found, found.isDeleted { _ = try await lists.undeleteList(found.id) }
    isKept = found.map { !$0.isDeleted } ?? false
    id = if let found { found.id } else { try await lists.createList(NewList(name: Self.name)).id }
  }

  /// Deletes the list, unless it existed before.
  func end() async {
    guard !isKept else { return }
    _ = try? await lists.deleteList(id)
  }
}
