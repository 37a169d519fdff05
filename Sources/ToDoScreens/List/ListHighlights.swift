import ToDoModel

/// The items that have just changed, which the list highlights.
struct ListHighlights: Equatable, Sendable {
  /// The time until which each item is highlighted.
  private var ends: [ItemID: Duration] = [:]

  /// The duration of a highlight.
  private static let duration = Duration.seconds(1)
  /// The maximum number of highlighted items.
  private static let limit = 1_000
  /// The shortest time between two ends of highlights.
  private static let step = Duration.milliseconds(100)

  /// Whether an item is highlighted.
  func contains(_ id: ItemID) -> Bool { ends[id] != nil }

  /// Highlights as many items as there is room for, and starts the timer.
  mutating func add(_ ids: some Sequence<ItemID>, at uptime: Duration) -> [ScreenAction] {
    let isTimerRunning = !ends.isEmpty
    for id in ids {
      guard ends.count < Self.limit else { break }
      ends[id] = uptime + Self.duration
    }
    return isTimerRunning || ends.isEmpty ? [] : [.perform(.startTimer(.highlight, Self.duration))]
  }

  /// Removes the highlights that end, and starts the timer again for the others.
  mutating func end(at uptime: Duration) -> [ScreenAction] {
    ends = ends.filter { $0.value > uptime }
    guard let next = ends.values.min() else { return [] }
    return [.perform(.startTimer(.highlight, max(Self.step, next - uptime)))]
  }
}
