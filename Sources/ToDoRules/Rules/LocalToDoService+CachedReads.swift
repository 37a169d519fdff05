public import ToDoModel
package import ToDoSupport

extension LocalToDoService {
  public func item(_ id: ItemID) async throws -> ToDoItem { try await lookUpItem(id).value }

  package func lookUpItem(_ id: ItemID) throws -> Lookup<ToDoItem> {
    let incarnation = store.incarnation
    switch store.lookUpItem(id, of: owner) {
    case .ready(.none): throw ToDoError.itemNotFound(id)
    case .ready(.some(var item)):
      item.revision.incarnation = incarnation
      // A copy would cost a GetItem 3% more instructions.
      return .ready(consume item)
    case .pending(let read):
      return .pending {
        guard var item = try await read() else { throw ToDoError.itemNotFound(id) }
        item.revision.incarnation = incarnation
        return item
      }
    }
  }

  package var cachedRevision: Revision? { store.cachedRevision(of: owner) }
}
