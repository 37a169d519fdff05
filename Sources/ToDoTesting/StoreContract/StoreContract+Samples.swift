package import ToDoModel

extension ItemID {
  /// Small IDs that sort as their numbers do.
  package static func sample(_ number: UInt64) -> ItemID { ItemID(high: 0x0190_0000_0000_7000, low: number) }
}

extension Timestamp {
  /// A number of microseconds after 2026-01-01T00:00:00Z.
  package static func sample(_ microseconds: Int64 = 0) -> Timestamp {
    Timestamp(microseconds: 1_767_225_600_000_000 + microseconds)
  }
}

extension ToDoItem {
  /// An incomplete item that differs from every other sample by its number.
  ///
  /// - Parameters:
  ///   - created: microseconds after 2026-01-01T00:00:00Z, or `nil` for the number.
  ///   - completed: microseconds after 2026-01-01T00:00:00Z, or `nil` for an incomplete item.
  package static func sample(
    _ number: UInt64, title: String? = nil, due: DueDate? = nil, created: Int64? = nil, completed: Int64? = nil
  ) -> ToDoItem {
    let createdAt = Timestamp.sample(created ?? Int64(number))
    return ToDoItem(
      id: .sample(number), number: .unknown, content: ItemContent(title: title ?? "Item \(number)", due: due),
      createdAt: createdAt,
      updatedAt: createdAt, completedAt: completed.map(Timestamp.sample), revision: .initial)
  }

  /// Returns the item, completed at a time.
  package func completed(at time: Timestamp?) -> ToDoItem {
    var item = self
    item.completedAt = time
    return item
  }

  /// Returns the item with another title.
  package func titled(_ title: String) -> ToDoItem {
    var item = self
    item.content.title = title
    return item
  }

  func updated(at time: Timestamp) -> ToDoItem {
    var item = self
    item.updatedAt = time
    return item
  }
}
