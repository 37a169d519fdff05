import ToDoModel

/// The items that a run makes for itself: added before it, deleted after it.
struct RunItems: Sendable {
  let service: any ToDoService
  /// Tells the items of this run from those of others.
  let name: String

  /// Adds items, and deletes those again that were added if not all can be.
  ///
  /// - Throws: what the service throws; `CancellationError` when the person asks to end.
  func add(
    _ count: Int, isInterrupted: () -> Bool, onProgress: (_ done: Int) -> Void
  ) async throws -> [ItemID] {
    var ids: [ItemID] = []
    let clock = SystemWallClock()
    do {
      while ids.count < count {
        if isInterrupted() { throw CancellationError() }
        let batch = (ids.count..<min(count, ids.count + NewItem.batchLimit)).map { number in
          NewItem(id: ItemID(time: clock.now()), content: Workload.content("\(name) \(number)"))
        }
        ids += batch.map(\.id)
        _ = try await service.addItems(batch, allowingDuplicates: false)
        onProgress(ids.count)
      }
    } catch {
      await delete(ids) { _ in }
      throw error
    }
    return ids
  }

  /// Deletes items, those that there are.
  ///
  /// - Returns: how many are still there, as the server did not answer or refused.
  @discardableResult
  func delete(_ ids: [ItemID], onProgress: @Sendable (_ done: Int) -> Void) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      var (rest, done, remaining) = (ids[...], 0, 0)
      func addTask() {
        guard let id = rest.popFirst() else { return }
        group.addTask { await self.delete(id) }
      }
      for _ in 0..<Self.concurrency { addTask() }
      while let isDeleted = await group.next() {
        done += 1
        if !isDeleted { remaining += 1 }
        // A server that is gone would be asked for every single one.
        if remaining >= Self.failureLimit { rest = [] } else { addTask() }
        if done.isMultiple(of: 1000) { onProgress(done) }
      }
      return remaining + ids.count - done
    }
  }

  /// How many deletions share a commit.
  private static let concurrency = 64
  /// How many deletions may fail before the others are remaining.
  private static let failureLimit = 64

  private func delete(_ id: ItemID) async -> Bool {
    do {
      _ = try await service.deleteItem(id, ifRevision: nil)
      return true
    } catch ToDoError.itemNotFound {
      return true
    } catch {
      return false
    }
  }
}
