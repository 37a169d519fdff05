import ToDoModel

/// The question before all done items, or all items, are deleted.
struct DeletionQuestion: Equatable, Sendable {
  /// Whether all items are deleted, instead of the done ones.
  private var coversAll: Bool
  private let doneCount: Int
  private let count: Int

  /// Asks about the done items if there are any.
  init(_ content: ListContent) {
    (count, doneCount) = (content.count, content.doneCount)
    coversAll = doneCount == 0
  }

  /// The items to delete.
  var selection: BulkDeletion { coversAll ? .all : .done }

  /// Returns the same question about changed items.
  func updated(_ content: ListContent) -> DeletionQuestion {
    var question = DeletionQuestion(content)
    if coversAll { question.coversAll = true }
    return question
  }

  /// An answer.
  enum Answer: Equatable, Sendable {
    case delete, keep
  }

  /// Handles a key. `a` asks for all items instead.
  mutating func answer(_ key: KeyPress) -> Answer? {
    switch key {
    case .character("y"), .character("Y"): return .delete
    case .character("n"), .character("N"), .escape: return .keep
    case .character("a") where !coversAll: coversAll = true
    default: break
    }
    return nil
  }

  /// Returns the question with its keys.
  ///
  /// - Parameter isFiltered: whether items can be hidden, which are deleted too.
  func text(isFiltered: Bool) -> String {
    let hidden = isFiltered ? ", shown or not" : ""
    guard !coversAll else {
      return "Delete \(count == 1 ? "the only item" : "all \(count.groupedText) items")\(hidden)? y/n"
    }
    let done = doneCount == 1 ? "the done item" : "the \(doneCount.groupedText) done items"
    return "Delete \(done)\(hidden)? y/n · a all \(count.groupedText) items"
  }
}
