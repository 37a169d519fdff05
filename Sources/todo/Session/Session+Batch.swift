import ProgramSupport
import ToDoModel

/// The results of an operation on several items.
struct BatchOutcome<Value> {
  /// The results for the items that succeeded.
  var values: [Value] = []
  /// The highest status of any item.
  var highestStatus = ExitStatus.success

  /// Throws the highest status, unless every item succeeded.
  func throwIfFailed() throws {
    if highestStatus != .success { throw highestStatus }
  }
}

extension Session {
  /// Performs an action on each item that an ID refers to. All IDs are resolved first. The action then runs once for each
  /// distinct item, sequentially.
  ///
  /// - Parameter action: receives an item, and the prefixes that identify items.
  /// - Throws: the failure of a single item, or a failure that affects every item: the service is unreachable, or denies
  ///   access. Other failures are reported, and determine the status of the outcome.
  func forEachItem<Value>(
    _ ids: [String], in service: any ToDoService, _ action: (ToDoItem, ShortestPrefixes) async throws -> Value
  ) async throws -> BatchOutcome<Value> {
    var resolver = ItemResolver(service)
    var outcome = BatchOutcome<Value>()
    var items: [ToDoItem] = []
    for id in ids {
      do {
        let item = try await resolver.item(id)
        if !items.contains(where: { $0.id == item.id }) { items.append(item) }
      } catch {
        outcome.highestStatus = max(outcome.highestStatus, try reportUnlessFatal(error, isOnly: ids.count == 1))
      }
    }
    let prefixes = resolver.cachedPrefixes
    for item in items {
      do {
        outcome.values.append(try await action(item, prefixes))
      } catch {
        outcome.highestStatus = max(outcome.highestStatus, try reportUnlessFatal(error, isOnly: ids.count == 1))
      }
    }
    return outcome
  }

  private func reportUnlessFatal(_ error: any Error, isOnly: Bool) throws -> ExitStatus {
    let failure = Failure(error)
    if isOnly || failure.status >= .unreachable { throw failure }
    report(failure)
    return failure.status
  }
}
