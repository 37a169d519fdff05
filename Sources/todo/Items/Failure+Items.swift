import ToDoModel
import ToDoRPC
import ToDoText

extension Failure {
  private static func unknown(_ message: String, details: [String] = []) -> Failure {
    Failure(code: .notFound, reason: "ITEM_NOT_FOUND", message: message, details: details)
  }

  /// No item has one of the numbers.
  static func unknownNumber(_ range: ClosedRange<Int64>, _ deleted: DeletedItems) -> Failure {
    let numbers =
      range.count > 1 ? "a number from \(range.lowerBound) to \(range.upperBound)" : "the number \(range.lowerBound)"
    return deleted == .only
      ? unknown("no deleted item has \(numbers); 'todo trash\(PrintedList.option)' prints the numbers")
      : unknown("no item has \(numbers); 'todo list\(PrintedList.option)' prints the numbers")
  }

  /// No ID begins with the prefix.
  static func unknownID(_ text: String, _ deleted: DeletedItems) -> Failure {
    let option = PrintedList.option
    return deleted == .only
      ? unknown("no deleted item has an ID that begins with '\(text)'; 'todo trash -q\(option)' prints the IDs")
      : unknown("no item has an ID that begins with '\(text)'; 'todo list -q\(option)' prints the IDs")
  }

  /// No title contains the words.
  static func unknownTitle(_ text: String, _ near: [ToDoItem], _ deleted: DeletedItems) -> Failure {
    unknown(
      "no \(deleted == .only ? "deleted " : "")item has '\(text.escapingControls())' in its title",
      details: near.isEmpty ? [] : ["Did you mean:"] + lines(near).map { "  " + $0 })
  }

  /// Words match only parts of words.
  static func partOfTitle(_ text: String, _ matches: [ToDoItem]) -> Failure {
    var failure = ambiguousReference(text, matches)
    let isOne = matches.count == 1
    failure = unknown(
      "no title has '\(text.escapingControls())' as \(text.contains(" ") ? "whole words" : "a whole word"), but \(isOne ? "one contains" : "\(matches.count) contain") it; '--contains' selects such items",
      details: failure.details)
    failure.candidates = matches
    return failure
  }

  /// An item has exactly the title that was named, but is deleted, or is not.
  ///
  /// - Parameter others: the items that the command could mean, which have the same words.
  static func named(_ item: ToDoItem, besides others: [ToDoItem]) -> Failure {
    var failure = item.deletion == nil ? notDeleted(item) : deleted(item)
    failure.message = failure.message.replacing(
      "item \(item.shortReference)", with: "\(item.shortReference) '\(item.title.escapingControls())'",
      maxReplacements: 1)
    if !others.isEmpty {
      failure.details =
        ["To select another item, use its number:"] + ambiguousReference("", others).details.map { "  " + $0 }
    }
    return failure
  }

  /// The item was deleted, and can be restored.
  static func deleted(_ item: ToDoItem) -> Failure {
    let number = item.shortReference
    return unknown("item \(number) was deleted; restore it with 'todo restore \(number)'")
  }

  /// The item to restore is not deleted.
  static func notDeleted(_ item: ToDoItem) -> Failure {
    var failure = Failure(ToDoError.itemNotDeleted(item.id))
    failure.message = "item \(item.shortReference) is not deleted"
    return failure
  }

  /// Several items match.
  static func ambiguousReference(_ text: String, _ matches: [ToDoItem]) -> Failure {
    let more = matches.count > candidateLimit ? ["and \(matches.count - candidateLimit) more"] : []
    let matches = matches.sorted { $0.number < $1.number }
    var failure = usage(
      "'\(text.escapingControls())' matches \(matches.count) items", reason: "AMBIGUOUS_ITEM",
      details: lines(matches.prefix(candidateLimit)) + more)
    failure.candidates = matches
    return failure
  }

  private static func lines(_ items: some Collection<ToDoItem>) -> [String] {
    let width = items.map(\.shortReference.count).max() ?? 0
    return items.map { $0.shortReference.padded(toLeftWidth: width) + "  " + $0.title.escapingControls() }
  }

  private static let candidateLimit = 10
}

extension ToDoService {
  /// Returns the failure of a command that would duplicate an item.
  ///
  /// - Parameter verb: the infinitive of the operation, such as "add".
  func duplicateFailure(of existing: ItemID, verb: String) async throws -> Failure {
    let item = try await self.item(existing)
    var failure = Failure(ToDoError.duplicateItem(existing, existing: existing))
    failure.message = "an identical item already exists: \(item.shortReference)"
    failure.details = ["Use '--allow-duplicate' to \(verb) it anyway."]
    return failure
  }
}
