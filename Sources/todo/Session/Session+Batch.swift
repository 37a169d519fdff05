import ProgramSupport
import ToDoModel

/// What became of several items.
struct BatchOutcome<Value> {
  var values: [Value] = []
  var worst = ExitStatus.success

  /// - Throws: the worst status, unless all went well.
  func finish() throws {
    if worst != .success { throw worst }
  }
}

extension Session {
  /// Does something to each item that the ids name: first all are looked up, then it is done to those that were found,
  /// one after the other, once for each.
  ///
  /// - Parameter action: is given the item, and the prefixes to name items by.
  /// - Throws: the failure of the only item, or one after which going on is pointless: the service is not reached, or
  ///   does not allow it. Other failures are reported, and count in the outcome.
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
        outcome.worst = max(outcome.worst, try reportUnlessFatal(error, isOnly: ids.count == 1))
      }
    }
    let prefixes = resolver.knownPrefixes
    for item in items {
      do {
        outcome.values.append(try await action(item, prefixes))
      } catch {
        outcome.worst = max(outcome.worst, try reportUnlessFatal(error, isOnly: ids.count == 1))
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
