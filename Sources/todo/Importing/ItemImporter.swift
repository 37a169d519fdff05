import ToDoModel
import ToDoRules
import ToDoSupport
import ToDoText

/// Adds the items of a JSON text to their lists.
struct ItemImporter {
  /// The numbers of items that were added to a list, or were there.
  struct Count {
    var added = 0
    /// The number of items that are in the list already. They stay as they are.
    var present = 0
  }

  /// Whether to add items that are in the list already under another ID.
  let allowsDuplicates: Bool
  /// Returns an ID for an item without one.
  let makeID: () -> ItemID

  /// The lists so far, in order. The last one is being changed.
  private(set) var counts: [Count] = []
  /// The items that the service has refused, with its errors.
  private(set) var refused: [(item: ImportedItem, error: ToDoError)] = []
  /// The number of items that the list lacked when the import began.
  private(set) var missingCount = 0
  /// The done item that was added but may not have been checked.
  private(set) var unchecked: (item: ImportedItem, id: ItemID, option: String)?
  /// The done items that were added and checked, but without their repetition, with the errors.
  private(set) var unrepeated: [(item: ImportedItem, id: ItemID, option: String, error: any Error)] = []
  /// The number of items in the latest request. If it failed, they may have been added.
  private(set) var requestedCount = 0

  init(allowsDuplicates: Bool, makeID: @escaping () -> ItemID) {
    self.allowsDuplicates = allowsDuplicates
    self.makeID = makeID
  }

  var addedCount: Int { counts.reduce(0) { $0 + $1.added } }
  var presentCount: Int { counts.reduce(0) { $0 + $1.present } }

  /// Returns the items that are not in their list: under their ID, or with the same content and state if they have none.
  func missing(of group: ImportGroup) async throws -> [ImportedItem] {
    let key = FingerprintKey(low: 0, high: 0)
    var ids: Set<ItemID> = []
    var contents: Set<Content> = []
    let items = group.newList == nil ? try await group.service.allItems(ItemQuery(state: .all)).items : []
    for item in items {
      ids.insert(item.id)
      contents.insert(Content(fingerprint: ContentFingerprint(of: item.content, key: key), isDone: item.isDone))
    }
    return group.items.filter { item in
      if let id = item.id { return !ids.contains(id) }
      let content = Content(fingerprint: ContentFingerprint(of: item.content, key: key), isDone: item.isDone)
      return allowsDuplicates || !contents.contains(content)
    }
  }

  private struct Content: Hashable {
    let fingerprint: ContentFingerprint
    let isDone: Bool
  }

  /// Adds the items that are not in their lists, in their order.
  ///
  /// - Throws: errors that concern a whole list, such as `listFull`. What was added before stays.
  mutating func add(_ groups: [ImportGroup]) async throws {
    var lists: [(group: ImportGroup, missing: [ImportedItem])] = []
    for group in groups { lists.append((group, try await missing(of: group))) }
    missingCount = lists.reduce(0) { $0 + $1.missing.count }
    for (group, missing) in lists {
      counts.append(Count(present: group.items.count - missing.count))
      try await add(missing, to: group)
    }
  }

  private mutating func add(_ items: [ImportedItem], to group: ImportGroup) async throws {
    var batch: [(imported: ImportedItem, new: NewItem)] = []
    var size = 0
    for item in items {
      let new = NewItem(id: item.id ?? makeID(), content: item.content)
      let isFull = batch.count == NewItem.batchLimit || size + new.content.textSize > NewItem.batchTextLimit
      if item.isDone || isFull {
        try await add(batch, to: group.service)
        (batch, size) = ([], 0)
      }
      if item.isDone {
        try await addDone(item, new, to: group)
      } else {
        batch.append((item, new))
        size += new.content.textSize
      }
    }
    try await add(batch, to: group.service)
  }

  /// Adds a batch or, if it is refused, each of its items alone.
  private mutating func add(
    _ batch: [(imported: ImportedItem, new: NewItem)], to service: any ToDoService
  ) async throws {
    guard !batch.isEmpty else { return }
    requestedCount = batch.count
    let options = SaveOptions(allowsDuplicate: allowsDuplicates, savesWithoutCoordinate: true)
    do { count(try await service.addItems(batch.map(\.new), options: options).count) } catch let error as ToDoError
      where error.concernsOneItem
    {
      for (item, new) in batch {
        do {
          requestedCount = 1
          _ = try await service.addItem(new, options: options)
          count(1)
        } catch let error as ToDoError where error.concernsOneItem { refused.append((item, error)) }
      }
    }
  }

  private mutating func count(_ added: Int) { counts[counts.count - 1].added += added }

  /// Returns details about the work that an error left undone.
  func details(of failure: Failure) -> [String] {
    let rest = missingCount - addedCount - refused.count
    // A change that is not allowed was not made.
    let isRefused = failure.status == .notAllowed
    guard rest > 0, !isRefused || addedCount > 0 else { return [] }
    // The response to the request may be lost.
    let isUnknown = failure.status >= .unreachable && !isRefused && requestedCount > 0 && unchecked == nil
    let unknown = isUnknown ? "; \(requestedCount) more may have been" : ""
    let half = unchecked.map {
      """
      The item in line \($0.item.line) was added too, but may not be done; 'todo check \($0.id)\($0.option)' makes sure that it is.
      """
    }
    let remedy = "Import the file again to add the others; those in the list stay as they are."
    return ["\(addedCount) of \(missingCount) items were added\(unknown)."] + [half].compactMap(\.self)
      + (isRefused ? [] : [remedy])
  }

  /// Adds an item and checks it.
  private mutating func addDone(_ item: ImportedItem, _ new: NewItem, to group: ImportGroup) async throws {
    let service = group.service
    requestedCount = 1
    // It may equal an incomplete item, which it duplicates until it is checked.
    let options = SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true)
    // A check would move an item that repeats on to the next occurrence.
    var single = new
    single.content.repetition = nil
    do { _ = try await service.addItem(single, options: options) } catch let error as ToDoError
      where error.concernsOneItem
    {
      return refused.append((item, error))
    }
    unchecked = (item, new.id, group.option)
    _ = try await service.checkItem(new.id, ifRevision: nil)
    (requestedCount, unchecked) = (0, nil)
    count(1)
    guard let repetition = new.content.repetition else { return }
    var edit = ItemEdit()
    edit.repetition = .set(repetition)
    do { _ = try await service.updateItem(new.id, edit, ifRevision: nil, options: options) } catch {
      unrepeated.append((item, new.id, group.option, error))
      guard (error as? ToDoError)?.concernsOneItem == true else { throw error }
    }
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
