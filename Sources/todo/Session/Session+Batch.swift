import ToDoModel
import ToDoSupport

/// The results of an operation on several items.
struct BatchOutcome<Value> {
  /// The results for the items that succeeded.
  var values: [Value] = []
  /// Whether the arguments and the user's choice name a single item, not several.
  var isSingle: Bool
  /// The highest status of any item.
  var highestStatus = ExitStatus.success

  /// Throws the highest status, unless every item succeeded.
  func throwIfFailed() throws {
    if highestStatus != .success { throw highestStatus }
  }
}

extension Session {
  /// Performs an action on each item that the arguments refer to. All references are resolved first. The action then runs
  /// once for each distinct item, sequentially.
  ///
  /// - Parameters:
  ///   - preferred: the state of the items that title words mean.
  ///   - deleted: whether the arguments refer to deleted items.
  ///   - words: the comparison of title words.
  ///   - choosesSeveral: whether the user may choose several of the items that words match.
  /// - Throws: the failure of a single item, or a failure that affects every item: the service is unreachable, or denies
  ///   access. Other failures are reported, and determine the status of the outcome.
  func forEachItem<Value>(
    _ arguments: [UserText], preferring preferred: ItemState = .toDo, deleted: DeletedItems = .excluded,
    words: WordOptions, choosingSeveral choosesSeveral: Bool = true, in service: any ToDoService,
    _ action: (ToDoItem) async throws -> Value
  ) async throws -> BatchOutcome<Value> {
    var resolver = ItemResolver(
      self, service, preferring: preferred, deleted: deleted, words: words, choosingSeveral: choosesSeveral)
    let references = try ItemReference.parse(arguments)
    var outcome = BatchOutcome<Value>(isSingle: references.count == 1 && references[0].isSingle)
    var (items, ids) = ([ToDoItem](), Set<ItemID>())
    for reference in references {
      do {
        items += try await resolver.items(reference).filter { ids.insert($0.id).inserted }
      } catch {
        outcome.highestStatus = max(outcome.highestStatus, try reportUnlessFatal(error, isOnly: outcome.isSingle))
      }
    }
    if items.count > 1 { outcome.isSingle = false }
    try await perform(action, on: items, &outcome)
    return outcome
  }

  /// Performs an action on each item of a listing, sequentially.
  ///
  /// - Throws: a failure that affects every item. Other failures are reported, and determine the status of the outcome.
  func forEachItem<Value>(
    of items: [ToDoItem], _ action: (ToDoItem) async throws -> Value
  ) async throws -> BatchOutcome<Value> {
    var outcome = BatchOutcome<Value>(isSingle: false)
    try await perform(action, on: items, &outcome)
    return outcome
  }

  /// Performs an action on each item, and adds the results to an outcome.
  private func perform<Value>(
    _ action: (ToDoItem) async throws -> Value, on items: [ToDoItem], _ outcome: inout BatchOutcome<Value>
  ) async throws {
    for item in items {
      do {
        outcome.values.append(try await action(item))
      } catch {
        let failed = outcome.isSingle ? nil : item
        let status = try reportUnlessFatal(error, of: failed, isOnly: outcome.isSingle)
        outcome.highestStatus = max(outcome.highestStatus, status)
      }
    }
  }

  /// - Parameter item: the item of several that failed, which the failure names.
  private func reportUnlessFatal(
    _ error: any Error, of item: ToDoItem? = nil, isOnly: Bool
  ) throws -> ExitStatus {
    if let status = error as? ExitStatus { throw status }
    let failure = Failure(error)
    if isOnly || failure.status >= .unreachable { throw failure }
    report(item.map(failure.naming) ?? failure)
    return failure.status
  }
}
