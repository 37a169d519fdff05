import ToDoModel
import ToDoText

extension Session {
  /// Returns the list that the option `--list`, the environment or `todo use` selects, or `nil` for the default list.
  ///
  /// - Throws: `PrivateFileError` if the file of `todo use` cannot be read.
  func listSelection(of service: ServiceSelection) throws -> ListSelection? {
    if let list { return ListSelection(text: list, origin: .option) }
    return try ListSelection(environment: context.environment, service: service)
  }
}

extension ServiceConnection {
  /// Selects a list, whose items the service then has.
  ///
  /// - Throws: `Failure` if there is no such list; the errors of the service, also if it has no further lists.
  mutating func select(_ selection: ListSelection) async throws {
    let lists = try await lists.lists(includingDeleted: true)
    let list: UserList
    do throws(Failure) { list = try lists.list(selection.text) } catch { throw error.naming(selection) }
    self.list = list
    service = self.lists.items(in: list.id)
  }
}

extension Failure {
  /// Returns the failure to find a selected list, which says what selected the list and how to select another.
  fileprivate func naming(_ selection: ListSelection) -> Failure {
    var failure = self
    switch selection.origin {
    case .option: break
    case .variable: failure.details.append("TODO_LIST selects it; unset the variable to use the default list.")
    case .used:
      if details.count > 1 { (failure.message, failure.details) = ("the list in use no longer exists", []) }
      failure.details.append("Use another list with 'todo use NAME', or the default one with 'todo use --default'.")
    }
    return failure
  }
}
