import ToDoModel

/// The history of an item as a screen reads it: one reading at a time, and another one after it if the item has changed.
struct HistoryReading: Equatable, Sendable {
  /// The latest result, or `nil` if there is none yet.
  private(set) var result: Result<[RevisionRecord], EffectFailure>?
  private var isReading = false
  /// Whether the item has changed since the reading started.
  private var isOutdated = false

  /// Requests a reading of an item that has changed.
  mutating func itemChanged(_ id: ItemID) -> [ScreenAction] {
    isOutdated = isReading
    return isReading ? [] : start(id)
  }

  /// Requests a reading, even if an earlier one has not ended. Another screen can have canceled the earlier one.
  mutating func start(_ id: ItemID) -> [ScreenAction] {
    (isReading, isOutdated) = (true, false)
    return [.perform(.readHistory(id))]
  }

  /// Requests a reading if the last one has failed or has not ended.
  mutating func resume(_ id: ItemID) -> [ScreenAction] {
    if case .success = result, !isReading { return [] }
    return start(id)
  }

  /// Stores a result, and requests another reading if the item has changed since the reading started.
  mutating func end(_ id: ItemID, with result: Result<[RevisionRecord], EffectFailure>) -> [ScreenAction] {
    self.result = result
    isReading = false
    return isOutdated ? start(id) : []
  }
}
