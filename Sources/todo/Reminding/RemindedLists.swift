import ToDoModel
import ToDoRPC
import ToDoText

/// A list whose reminders the user is told about.
struct RemindedList: Sendable {
  let list: UserList
  /// The list that printed references to the items name; `nil` for the default list, unless another one is in use.
  let printed: PrintedList?
  let service: any ToDoService

  /// The name, or `nil` for the default list.
  var name: String? { list.id.isDefault ? nil : list.name }

  /// Prints with the list's name.
  func printing<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    try await PrintedList.$current.withValue(printed, operation: body)
  }
}

/// The lists whose reminders the user is told about: the one that `--list` selects, or all. Without `ReminderService`, telling
/// changes the item, so the reminders of a list that the user can only view are left to others.
struct RemindedLists: Sendable {
  let session: Session
  let connection: ServiceConnection
  private let selection: ServiceSelection

  init(_ session: Session, _ connection: ServiceConnection) throws {
    (self.session, self.connection, selection) = (session, connection, try session.selection())
  }

  /// Whether `--list` selects one list.
  var isLimited: Bool { session.list != nil }

  /// Runs `body` with the service that knows which reminders are due. Returns `nil` for a list in this process or an older server.
  ///
  /// - Throws: any error of `body`.
  func served<Value>(_ body: (any ReminderService) async throws -> Value) async throws -> Value? {
    guard let reminders = connection.reminders else { return nil }
    do { return try await body(reminders) } catch let error as RPCError where error.code == .unimplemented {
      return nil
    }
  }

  /// Reads the lists.
  ///
  /// - Throws: any error of the service.
  func current() async throws -> [RemindedList] {
    do { return reminded(try await connection.lists.lists()) } catch let error as RPCError
      where error.code == .unimplemented
    { return [onlyList] }
  }

  /// Reads all lists, also those that the user can only view.
  ///
  /// - Throws: any error of the service.
  func all() async throws -> [RemindedList] {
    do { return reminded(try await connection.lists.lists(), withViewed: true) } catch let error as RPCError
      where error.code == .unimplemented
    { return [onlyList] }
  }

  /// Watches the lists, and passes on each set of them. Returns if the set cannot change.
  ///
  /// - Parameter withViewed: whether to pass on lists that the user can only view, too.
  /// - Throws: any error of the watch.
  func watch(withViewed: Bool = false, _ receive: ([RemindedList]) -> Void) async throws {
    guard !isLimited else { return receive(try await withViewed ? all() : current()) }
    do {
      for try await set in connection.lists.watchLists() { receive(reminded(set, withViewed: withViewed)) }
    } catch let error as RPCError where error.code == .unimplemented {
      receive([onlyList])
    }
  }

  /// The list of a service that has no further ones.
  private var onlyList: RemindedList {
    RemindedList(list: connection.list ?? .inbox, printed: PrintedList.current, service: connection.service)
  }

  private func reminded(_ set: ListSet, withViewed: Bool = false) -> [RemindedList] {
    let inUse = session.listInUse(of: set, in: selection)
    let selected = set.lists.filter { isLimited ? $0.id == connection.list?.id : withViewed || $0.role != .viewer }
    return selected.map { list in
      let isPlain = list.id.isDefault && inUse.isDefault
      return RemindedList(
        list: list, printed: isPlain ? nil : PrintedList(list, named: set.reference(to: list)),
        service: connection.lists.items(in: list.id))
    }
  }
}
