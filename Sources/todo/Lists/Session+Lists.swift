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

  /// Selects a list, and returns all lists.
  ///
  /// - Throws: `UnknownListOfItems` if there is no such list, but the arguments can be words of a title; as
  ///   `ServiceConnection.select(_:)` does.
  func select(_ selection: ListSelection, in connection: inout ServiceConnection) async throws -> ListSet {
    do {
      return try await connection.select(selection)
    } catch let failure as Failure where failure.reason == "LIST_NOT_FOUND" {
      throw words.map { UnknownListOfItems(failure: failure, words: $0) } ?? failure
    }
  }

  /// Rejects the option `--list`.
  ///
  /// - Parameter reason: the reason why the command has no use for it, after the option's name.
  func rejectListOption(_ reason: String) throws(Failure) {
    if list != nil { throw .usage("'--list' \(reason)") }
  }

  /// Returns the form in which a selected list's items are printed, so that the next command without `--list` finds them.
  func printedList(
    _ list: UserList, of lists: ListSet, selectedBy selection: ListSelection, in service: ServiceSelection
  ) -> PrintedList {
    guard selection.origin == .option else { return PrintedList(list, named: nil) }
    return printedList(list, of: lists, unlessUsed: listInUse(of: lists, in: service))
  }

  /// Returns the form in which a list's items are printed: references name the list unless it is in use.
  func printedList(_ list: UserList, of lists: ListSet, unlessUsed inUse: ListID) -> PrintedList {
    PrintedList(list, named: list.id == inUse ? nil : lists.reference(to: list))
  }

  /// Returns the list that the next command without `--list` uses.
  func listInUse(of lists: ListSet, in service: ServiceSelection) -> ListID {
    let selection = try? ListSelection(environment: context.environment, service: service)
    return selection.flatMap { try? lists.list($0.text).id } ?? .default
  }
}

extension ServiceConnection {
  /// Selects a list, whose items the service then has.
  ///
  /// - Returns: all lists.
  /// - Throws: `Failure` if there is no such list; the errors of the service, also if it has no further lists.
  @discardableResult
  mutating func select(_ selection: ListSelection) async throws -> ListSet {
    let lists = try await lists.lists(includingDeleted: true)
    let list: UserList
    do throws(Failure) { list = try lists.list(selection.text) } catch {
      throw await self.lists.mentioningInvitation(to: selection.text, error.naming(selection))
    }
    self.list = list
    service = self.lists.items(in: list.id)
    return lists
  }
}

extension Failure {
  /// Returns the failure to find a selected list, which says what has selected the list and how to select another.
  fileprivate func naming(_ selection: ListSelection) -> Failure {
    var failure = self
    switch selection.origin {
    case .option: break
    case .variable: failure.details.append("TODO_LIST selects it; unset the variable to use the default list.")
    case .used:
      if details.count > 1 {
        failure.message = "the list in use no longer exists, or is no longer shared with you"
        failure.details = []
      }
      failure.details.append("Use another list with 'todo use NAME', or the default one with 'todo use --default'.")
    }
    return failure
  }
}
