import ToDoModel
import ToDoRPC
import ToDoText

/// The lists whose items `todo today` shows: the selected one, or all. IDs are those of one list, as other commands need them.
struct AgendaLists {
  private struct Entry {
    /// The list that printed references to the items name; `nil` for the default list, unless another one is in use.
    let printed: PrintedList?
    let service: any ToDoService
  }

  private let entries: [Entry]

  /// Selects a connection's lists. A service without several lists has only the default one.
  init(_ connection: ServiceConnection, in session: Session) async throws {
    guard connection.list == nil, !session.options.quiet, let lists = try await connection.furtherLists() else {
      entries = [Entry(printed: PrintedList.current, service: connection.service)]
      return
    }
    let inUse = session.listInUse(of: lists, in: try session.selection())
    entries = lists.lists.map { list in
      let isPlain = list.id.isDefault && inUse.isDefault
      return Entry(
        printed: isPlain ? nil : session.printedList(list, of: lists, unlessUsed: inUse),
        service: connection.lists.items(in: list.id))
    }
  }

  /// Reads the incomplete items, in the order of a list.
  func items() async throws -> [AgendaItem] {
    var all: [AgendaItem] = []
    for entry in entries {
      let items = try await entry.service.allItems(ItemQuery(state: .toDo)).items
      all += items.map { AgendaItem(item: $0, printed: entry.printed) }
    }
    guard entries.count > 1 else { return all }
    return all.map { (ItemPosition(of: $0.item, in: .list), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns the number of items that were completed since an instant.
  func completedCount(since start: Timestamp) async throws -> Int {
    var count = 0
    for entry in entries { count += try await entry.service.completedCount(since: start) }
    return count
  }
}

extension ServiceConnection {
  /// Returns all lists; `nil` if there are no others than the default one, or the service does not support them.
  fileprivate func furtherLists() async throws -> ListSet? {
    do {
      let set = try await lists.lists()
      return set.lists.count > 1 ? set : nil
    } catch let error as RPCError where error.code == .unimplemented {
      return nil
    }
  }
}
