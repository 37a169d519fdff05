import ToDoModel
import ToDoRules

/// Adds the items of a JSON text to a list.
struct ItemImporter {
  let service: any ToDoService
  /// Whether to add items that are in the list already under another ID.
  let allowsDuplicates: Bool
  /// Returns an ID for an item without one.
  let makeID: () -> ItemID

  private(set) var addedCount = 0
  /// The number of items that are in the list already. They stay as they are.
  private(set) var presentCount = 0
  /// The items that the service has refused, with its errors.
  private(set) var refused: [(item: ImportedItem, error: ToDoError)] = []

  init(service: any ToDoService, allowsDuplicates: Bool, makeID: @escaping () -> ItemID) {
    self.service = service
    self.allowsDuplicates = allowsDuplicates
    self.makeID = makeID
  }

  /// Returns the items that are not in the list: under their ID, or with the same content and state if they have none.
  mutating func missing(of items: [ImportedItem]) async throws -> [ImportedItem] {
    let key = FingerprintKey(low: 0, high: 0)
    var ids: Set<ItemID> = []
    var contents: Set<Content> = []
    for item in try await service.allItems(ItemQuery(state: .all)).items {
      ids.insert(item.id)
      contents.insert(Content(fingerprint: ContentFingerprint(of: item.content, key: key), isDone: item.isDone))
    }
    let missing = items.filter { item in
      if let id = item.id { return !ids.contains(id) }
      let content = Content(fingerprint: ContentFingerprint(of: item.content, key: key), isDone: item.isDone)
      return allowsDuplicates || !contents.contains(content)
    }
    presentCount += items.count - missing.count
    return missing
  }

  private struct Content: Hashable {
    let fingerprint: ContentFingerprint
    let isDone: Bool
  }

  /// Adds the items that are not in the list, in their order.
  ///
  /// - Throws: errors that concern the whole list, such as `listFull`. What was added before stays.
  mutating func add(_ items: [ImportedItem]) async throws {
    var batch: [(imported: ImportedItem, new: NewItem)] = []
    var size = 0
    for item in try await missing(of: items) {
      let new = NewItem(id: item.id ?? makeID(), content: item.content)
      let isFull = batch.count == NewItem.batchLimit || size + new.content.textSize > NewItem.batchTextLimit
      if item.isDone || isFull {
        try await add(batch)
        (batch, size) = ([], 0)
      }
      if item.isDone {
        try await addDone(item, new)
      } else {
        batch.append((item, new))
        size += new.content.textSize
      }
    }
    try await add(batch)
  }

  /// Adds a batch, or, if it is refused, each of its items by itself.
  private mutating func add(_ batch: [(imported: ImportedItem, new: NewItem)]) async throws {
    guard !batch.isEmpty else { return }
    let options = SaveOptions(allowsDuplicate: allowsDuplicates, savesWithoutCoordinate: true)
    do { addedCount += try await service.addItems(batch.map(\.new), options: options).count } catch let error
      as ToDoError
      where error.concernsOneItem
    {
      for (item, new) in batch {
        do {
          _ = try await service.addItem(new, options: options)
          addedCount += 1
        } catch let error as ToDoError where error.concernsOneItem { refused.append((item, error)) }
      }
    }
  }

  /// Adds an item and checks it. Several at once could be left unchecked by a failure.
  private mutating func addDone(_ item: ImportedItem, _ new: NewItem) async throws {
    // It may equal an incomplete item, which it duplicates until it is checked.
    let options = SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true)
    do { _ = try await service.addItem(new, options: options) } catch let error as ToDoError where error.concernsOneItem
    {
      return refused.append((item, error))
    }
    do { _ = try await service.checkItem(new.id, ifRevision: nil) } catch {
      // The next import adds it again.
      _ = try? await service.deleteItem(new.id, ifRevision: nil)
      throw error
    }
    addedCount += 1
  }
}

extension ToDoError {
  /// Whether another item might be accepted.
  fileprivate var concernsOneItem: Bool {
    switch self {
    case .invalidItem, .duplicateItem, .itemIDConflict, .itemIDDeleted, .addressNotFound: true
    default: false
    }
  }
}
