import ToDoModel
import ToDoText

extension Session {
  /// Sends an edit of an item, as `save(geocoding:_:)` does if the edit sets an address.
  ///
  /// - Throws: `Failure` if the edit would duplicate an item; the errors of `save(geocoding:_:)`.
  func save(
    _ edit: ItemEdit, of id: ItemID, ifRevision: Revision? = nil, allowingDuplicate: Bool, in service: any ToDoService
  ) async throws -> ToDoItem {
    do {
      return try await save(geocoding: edit.address) {
        try await service.updateItem(
          id, edit, ifRevision: ifRevision,
          options: SaveOptions(allowsDuplicate: allowingDuplicate, savesWithoutCoordinate: $0))
      }
    } catch ToDoError.duplicateItem(_, let existing) {
      throw try await service.duplicateFailure(of: existing, verb: "edit")
    }
  }

  /// Splits an occurrence off, as `save(geocoding:_:)` does if the edit sets an address.
  ///
  /// - Returns: the occurrence, and the item that repeats.
  /// - Throws: `Failure` if the occurrence would duplicate an item, or if it is stored and the item may not have moved on; the errors
  ///   of `save(geocoding:_:)`.
  func save(
    _ split: OccurrenceSplit, by edit: ItemEdit, off item: ToDoItem, allowingDuplicate: Bool,
    in service: any ToDoService
  ) async throws -> (occurrence: ToDoItem, rest: ToDoItem) {
    let id = context.makeID(clock.now())
    do {
      return try await save(geocoding: edit.address) {
        try await service.split(
          split, off: item.id, ifRevision: item.revision, as: id,
          options: SaveOptions(allowsDuplicate: allowingDuplicate, savesWithoutCoordinate: $0))
      }
    } catch ToDoError.duplicateItem(_, let existing) {
      throw try await service.duplicateFailure(of: existing, verb: "edit")
    } catch let error as InterruptedSplit {
      throw error.failure(splitting: item)
    }
  }
}

extension ItemEdit {
  /// The address that the edit sets, if any.
  fileprivate var address: String? {
    if case .edit(_, .set(let address), _, _) = location { address } else { nil }
  }
}
