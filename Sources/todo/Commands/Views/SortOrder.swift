import ArgumentParser
import ToDoModel
import ToDoText

/// The order in which a command lists items. Incomplete items come before done ones in every order.
enum SortOrder: String, CaseIterable, ExpressibleByArgument {
  case due, created, updated, title, distance, priority, urgency

  // The default implementations describe strings dynamically, which takes many instructions of every command.
  static var allValueStrings: [String] { allCases.map(\.rawValue) }
  static var allValueDescriptions: [String: String] { [:] }
  var defaultValueDescription: String { rawValue }

  /// Orders items that the service has listed in the order of the list. Ties keep their order.
  ///
  /// - Parameters:
  ///   - center: the place from which distances are measured.
  ///   - now: the time at which the urgency is measured, with its day.
  func sorted(
    _ items: [ToDoItem], from center: Coordinate?, now: Timestamp, today: CalendarDate
  ) -> [ToDoItem] {
    switch self {
    case .due: items
    case .created: items.stablySorted { $0.createdAt }
    case .updated: items.stablySorted { -$0.revision.number }
    case .title: items.stablySorted { $0.title.lowercased() }
    case .priority: items.stablySorted { -Int($0.priority?.level ?? 0) }
    case .urgency: items.stablySorted { -$0.urgency(now: now, today: today) }
    case .distance:
      items.stablySorted { distance(of: $0, from: center)?.meters ?? .infinity }
        .stablySorted { distance(of: $0, from: center)?.lowerBound ?? .infinity }
    }
  }

  private func distance(of item: ToDoItem, from center: Coordinate?) -> ItemDistance? {
    center.flatMap { ItemDistance(of: item, from: $0) }
  }
}

extension [ToDoItem] {
  fileprivate func stablySorted<Key: Comparable>(by key: (ToDoItem) -> Key) -> [ToDoItem] {
    // The standard sort is stable, but does not promise it.
    let keyed = enumerated().map { (index, item) in (key: key(item), index: index, item: item) }
    let sorted = keyed.sorted { left, right in
      left.key == right.key ? left.index < right.index : left.key < right.key
    }
    return sorted.map(\.item)
  }
}
