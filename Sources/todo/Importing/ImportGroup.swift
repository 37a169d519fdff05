import ToDoModel
import ToDoRPC
import ToDoText

/// The items of a file that are imported into one list.
struct ImportGroup {
  /// The list's name, if the items name one.
  let name: String?
  /// The list that printed references to the items name; `nil` if they need none.
  let printed: PrintedList?
  let service: any ToDoService
  /// The list to create before the items are added; `nil` if it exists.
  let newList: NewList?
  /// The new list's order; `nil` to let the service choose it.
  let newOrder: Int32?
  private(set) var items: [ImportedItem] = []
  private var indices: [ItemID: Int] = [:]

  init(
    name: String?, printed: PrintedList?, service: any ToDoService, newList: NewList? = nil, newOrder: Int32? = nil
  ) {
    (self.name, self.printed, self.service) = (name, printed, service)
    (self.newList, self.newOrder) = (newList, newOrder)
  }

  /// Adds an item. The items of several lists can have one ID: then the later one gets a new ID, unless it is the same item.
  mutating func add(_ item: ImportedItem) {
    guard let id = item.id else { return items.append(item) }
    guard let index = indices[id] else {
      indices[id] = items.count
      return items.append(item)
    }
    guard items[index].content != item.content || items[index].isDone != item.isDone else { return }
    var other = item
    other.id = nil
    items.append(other)
  }

  /// The option with which a command uses the list; empty if it needs none.
  var option: String { PrintedList.$current.withValue(printed) { PrintedList.option } }

  /// The list, as a part of a sentence such as "Added 3 items to Work".
  var nameText: String? { name?.escapingControls() }
}

/// Finds the lists that the items of a file name.
struct ImportLists {
  let connection: ServiceConnection
  let session: Session

  /// Returns the items by list. Those that name no list are in the list in use, and all are in the one that `--list` selects.
  /// Creates no list.
  ///
  /// - Throws: `ImportErrors` for lists that neither exist nor can be created; the errors of the service.
  func groups(of items: [ImportedItem]) async throws -> [ImportGroup] {
    var own = ImportGroup(name: nil, printed: PrintedList.current, service: connection.service)
    for item in items { own.add(item) }
    guard items.contains(where: { $0.list != nil }) else { return [own] }
    guard session.list == nil else {
      if let list = connection.list, items.contains(where: { $0.list.map { !$0.means(list) } ?? false }) {
        session.printNotice(
          "All items are imported into the list '\(list.name.escapingControls())', which '--list' selects.")
      }
      return [own]
    }
    guard let existing = try await furtherLists(besides: items) else { return [own] }
    let referenced = try ReferencedLists(items, in: existing)
    let lists = referenced.lists
    let inUse = session.listInUse(of: lists, in: try session.selection())
    var groups: [ListID: ImportGroup] = [:]
    var order: [ListID] = []
    for item in items {
      let list = try referenced.list(of: item, orCurrent: connection.list?.id ?? .default)
      if groups[list.id] == nil {
        order.append(list.id)
        groups[list.id] = ImportGroup(
          name: list.name,
          printed: list.id.isDefault && inUse.isDefault ? nil : session.printedList(list, of: lists, unlessUsed: inUse),
          service: connection.lists.items(in: list.id), newList: referenced.new[list.id],
          newOrder: referenced.orders[list.id])
      }
      groups[list.id]?.add(item)
    }
    return order.compactMap { groups[$0] }
  }

  /// Returns all lists, deleted ones included; `nil` if the service has only the default one, and the items name no other.
  private func furtherLists(besides items: [ImportedItem]) async throws -> ListSet? {
    do { return try await connection.lists.lists(includingDeleted: true) } catch let error as RPCError
      where error.code == .unimplemented && items.allSatisfy({ $0.list.map { $0.id?.isDefault ?? false } ?? true })
    { return nil }
  }
}

extension ImportedItem.ListReference {
  /// Whether a list has this ID or name.
  fileprivate func means(_ list: UserList) -> Bool {
    id == list.id || name.map { ListSet(version: 0, lists: [list]).list(named: $0) != nil } ?? false
  }
}
