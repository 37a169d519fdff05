import Synchronization
public import ToDoModel

/// Keeps items in memory, for tests and for trying things out: they are gone with the store.
///
/// One lock guards all lists, so a write runs alone and waits for no disk.
public final class MemoryToDoItemStore: ToDoItemStore {
  private let lists = Mutex<[OwnerID: MemoryItemList]>([:])

  public init() {}

  public func item(_ id: ItemID, of owner: OwnerID) async throws -> ToDoItem? {
    lists.withLock { $0[owner]?.item(id) }
  }

  public func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing {
    let list = lists.withLock { $0[owner] } ?? MemoryItemList()
    return list.listing(selection)
  }

  public func write<Value: Sendable>(
    _ owner: OwnerID, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    return try lists.withLock { lists in
      // Taken out of the dictionary, so that the transaction changes it in place and not a copy.
      let transaction = MemoryItemTransaction(on: lists.removeValue(forKey: owner) ?? MemoryItemList())
      let result = Result { try body(transaction) }
      lists[owner] =
        switch result {
        case .success: transaction.commit()
        case .failure: transaction.rollback()
        }
      return try result.get()
    }
  }
}
