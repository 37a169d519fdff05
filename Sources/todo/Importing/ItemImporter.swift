import ToDoModel

/// Adds the items of a JSON text to a list, in batches.
struct ItemImporter {
  /// What became of the items.
  struct Outcome: Equatable {
    var added = 0
    /// The number of items whose ID is in the list already. They stay as they are.
    var present = 0
    /// The items that the service has refused, with its errors.
    var refused: [(item: ImportedItem, error: ToDoError)] = []

    static func == (left: Outcome, right: Outcome) -> Bool {
      left.added == right.added && left.present == right.present
        && left.refused.map(\.item) == right.refused.map(\.item)
        && left.refused.map(\.error) == right.refused.map(\.error)
    }
  }

  /// The largest batch that a service accepts.
  private static let batchSize = 500

  let service: any ToDoService
  let allowsDuplicates: Bool
  /// Returns an ID for an item without one.
  let makeID: () -> ItemID
  private(set) var outcome = Outcome()

  init(service: any ToDoService, allowsDuplicates: Bool, makeID: @escaping () -> ItemID) {
    self.service = service
    self.allowsDuplicates = allowsDuplicates
    self.makeID = makeID
  }

  /// Adds the items that are not in the list, and checks those of them that are done.
  ///
  /// - Throws: errors that concern the whole list, such as `listFull`. What was added before stays.
  mutating func add(_ items: [ImportedItem]) async throws {
    let present = try await presentIDs()
    let new = items.filter { item in !(item.id.map(present.contains) ?? false) }
    outcome.present = items.count - new.count
    var rest = new[...]
    while let isDone = rest.first?.isDone {
      let batch = rest.prefix { $0.isDone == isDone }.prefix(Self.batchSize)
      rest = rest.dropFirst(batch.count)
      // A done item may equal an incomplete one, which it duplicates until it is checked.
      let options = SaveOptions(allowsDuplicate: isDone || allowsDuplicates, savesWithoutCoordinate: true)
      try await add(batch.map { ($0, NewItem(id: $0.id ?? makeID(), content: $0.content)) }, options: options)
    }
  }

  /// Adds a batch, or, if it is refused, each of its items by itself.
  private mutating func add(_ batch: [(imported: ImportedItem, new: NewItem)], options: SaveOptions) async throws {
    do {
      try await check(try await service.addItems(batch.map(\.new), options: options), of: batch)
    } catch let error as ToDoError where error.concernsOneItem {
      for (imported, new) in batch {
        do {
          try await check([try await service.addItem(new, options: options)], of: [(imported, new)])
        } catch let error as ToDoError where error.concernsOneItem {
          outcome.refused.append((imported, error))
        }
      }
    }
  }

  private mutating func check(_ added: [ToDoItem], of batch: [(imported: ImportedItem, new: NewItem)]) async throws {
    outcome.added += added.count
    for (item, (imported, _)) in zip(added, batch) where imported.isDone && !item.isDone {
      _ = try await service.checkItem(item.id, ifRevision: nil)
    }
  }

  private func presentIDs() async throws -> Set<ItemID> {
    var ids: Set<ItemID> = []
    var query = ItemQuery(state: .all)
    repeat {
      let page = try await service.items(query)
      ids.formUnion(page.items.lazy.map(\.id))
      query.pageToken = page.nextPageToken
    } while query.pageToken != nil
    return ids
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
