import ToDoModel
import ToDoText

extension ToDoService {
  /// Adds an occurrence as an item of its own, and then moves the repeating item on. If the item has changed, the
  /// occurrence is removed again.
  ///
  /// - Parameters:
  ///   - id: the ID of the occurrence. A call that is repeated with the same ID adds it once, and moves the item once.
  ///   - options: those with which the occurrence is added.
  /// - Returns: the occurrence, and the item that repeats.
  /// - Throws: the errors of `addItem` and `updateItem`.
  func split(
    _ split: OccurrenceSplit, off item: ItemID, ifRevision revision: Revision, as id: ItemID, options: SaveOptions
  ) async throws -> (occurrence: ToDoItem, rest: ToDoItem) {
    let occurrence = try await addItem(NewItem(id: id, content: split.occurrence), options: options)
    do {
      let rest = try await updateItem(
        item, split.moving, ifRevision: revision,
        options: SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true))
      return (occurrence, rest)
    } catch let error as ToDoError {
      // The item has moved on already if the response to the first of two calls was lost.
      if case .revisionMismatch = error, let rest = try? await self.item(item),
        rest.content.applying(split.moving) == rest.content
      {
        return (occurrence, rest)
      }
      _ = try? await deleteItem(id, ifRevision: occurrence.revision, permanentlyIfFull: true)
      throw error
    }
  }
}
