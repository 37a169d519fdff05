import ToDoModel

/// The lists that a new item's title can name, such as `/work`, which are read for the first title that may name one.
struct TitleLists: Equatable, Sendable {
  private enum State: Equatable {
    case unread
    case reading
    /// The lists could not be read.
    case failed
    case read([UserList])
  }

  private var state = State.unread

  /// Whether a title may name a list.
  static func areNeeded(for title: String) -> Bool {
    title.split(whereSeparator: \.isWhitespace).contains { $0.hasPrefix("/") && $0.count > 1 }
  }

  /// Whether the lists are being read.
  var areBeingRead: Bool { state == .reading }

  /// The names of the lists. None until they are read.
  var names: Set<String> { Set(lists.map(\.name)) }

  private var lists: [UserList] { if case .read(let lists) = state { lists } else { [] } }

  /// Returns the lists with a name: more than one if another user shares a list with the same name.
  func lists(named name: String) -> [UserList] { lists.filter { $0.name == name } }

  /// Begins to read the lists for a title, unless that was tried before.
  mutating func read(for title: String, _ connection: ServiceLink) -> [Effect] {
    guard state == .unread, connection.isUsable, Self.areNeeded(for: title) else { return [] }
    state = .reading
    return [.readLists]
  }

  /// Begins to read the lists before an item with a title is saved.
  ///
  /// - Returns: `nil` if no lists are needed, or they are known.
  mutating func readToSave(_ title: String) -> [Effect]? {
    guard Self.areNeeded(for: title) else { return nil }
    switch state {
    case .read: return nil
    case .reading: return []
    case .unread, .failed:
      state = .reading
      return [.readLists]
    }
  }

  /// Receives the lists.
  ///
  /// - Returns: the reason why they could not be read.
  mutating func receive(_ result: Result<ListSet, EffectFailure>) -> String? {
    switch result {
    case .success(let set): state = .read(set.lists)
    case .failure(let failure):
      guard state == .reading else { return nil }
      guard failure.kind != .unsupported else {
        state = .read([])
        return nil
      }
      state = .failed
      return failure.message
    }
    return nil
  }
}
