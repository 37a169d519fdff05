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
  /// - Throws: `InterruptedSplit` if the occurrence is stored, but it is unknown whether the item has moved on; the errors of
  ///   `addItem` and `updateItem` if the split left nothing.
  func split(
    _ split: OccurrenceSplit, off item: ItemID, ifRevision revision: Revision, as id: ItemID, options: SaveOptions
  ) async throws -> (occurrence: ToDoItem, rest: ToDoItem) {
    let occurrence = try await addOccurrence(NewItem(id: id, content: split.occurrence), of: item, options: options)
    do {
      let rest = try await updateItem(
        item, split.moving, ifRevision: revision,
        options: SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true))
      return (occurrence, rest)
    } catch {
      // The item has moved on already if a response was lost, or if the split is repeated.
      guard let rest = try? await self.item(item) else { throw InterruptedSplit(occurrence: occurrence, cause: error) }
      guard rest.content.applying(split.moving) != rest.content else { return (occurrence, rest) }
      guard !error.leavesOutcomeUnknown else { throw InterruptedSplit(occurrence: occurrence, cause: error) }
      do { _ = try await deleteItem(id, ifRevision: occurrence.revision, permanentlyIfFull: true) } catch let removal {
        throw InterruptedSplit(occurrence: occurrence, cause: error, removal: removal)
      }
      throw error
    }
  }

  /// Adds an occurrence of an item that has not moved on yet, and so may differ from it in nothing that tells duplicates apart.
  private func addOccurrence(_ occurrence: NewItem, of item: ItemID, options: SaveOptions) async throws -> ToDoItem {
    do {
      return try await addItem(occurrence, options: options)
    } catch ToDoError.duplicateItem(_, let existing) where existing == item {
      var options = options
      options.allowsDuplicate = true
      return try await addItem(occurrence, options: options)
    }
  }
}

extension Error {
  /// Whether the call that failed may still make its change.
  fileprivate var leavesOutcomeUnknown: Bool {
    switch self as? ToDoError {
    case nil, .storeUnavailable: true
    default: false
    }
  }
}

/// The error of a split that ended between its two writes.
struct InterruptedSplit: Error {
  /// The occurrence, which is an item of its own.
  let occurrence: ToDoItem
  /// The error of the second write.
  let cause: any Error
  /// The error of the attempt to remove the occurrence, if there was one.
  var removal: (any Error)?

  /// The failure as the program reports it: what is stored, and how to complete the split.
  func failure(splitting item: ToDoItem) -> Failure {
    let (new, old) = (occurrence.shortReference, item.shortReference)
    var failure = Failure(cause)
    failure.message =
      "added \(new) '\(occurrence.title.escapingControls())', but \(old) may not have moved on: \(failure.message)"
    failure.details += [
      "If 'todo show \(old)' still shows the same due date, complete the edit with: todo skip \(old)",
      "Don't repeat the edit: it would split off another occurrence.",
    ]
    return failure
  }
}
