import ToDoModel

/// The items of a run, which are added before the run and deleted after it.
struct RunItems: Sendable {
  let service: any ToDoService
  /// The prefix of the items' titles, which distinguishes this run's items from other items.
  let name: String

  /// Adds a run's items. If an error occurs, the items that were added are deleted again.
  ///
  /// - Throws: The service's error, or `CancellationError` if the user interrupts.
  func add(
    _ seeds: RunSeeds, isInterrupted: () -> Bool, onProgress: (_ done: Int) -> Void
  ) async throws -> [ItemID] {
    var ids: [ItemID] = []
    let clock = SystemWallClock()
    do {
      while ids.count < seeds.count {
        if isInterrupted() { throw CancellationError() }
        let batch = (ids.count..<min(seeds.count, ids.count + NewItem.batchLimit)).map { number in
          NewItem(id: ItemID(time: clock.now()), content: seeds.content(number, titled: "\(name) \(number)"))
        }
        ids += batch.map(\.id)
        _ = try await service.addItems(batch)
        onProgress(ids.count)
      }
    } catch {
      await delete(ids) { _ in }
      throw error
    }
    return ids
  }

  /// Deletes the done items that checks of items that repeat have added.
  ///
  /// - Returns: The number of items that were not deleted, or 1 if they could not be read.
  func deleteOccurrences(onProgress: @Sendable (_ done: Int) -> Void) async -> Int {
    var ids: [ItemID] = []
    var query = ItemQuery(state: .done, text: name, pageSize: 1000)
    do {
      repeat {
        let page = try await service.items(query)
        ids += page.items.map(\.id).filter(\.isOccurrence)
        query.pageToken = page.nextPageToken
      } while query.pageToken != nil
    } catch { return 1 }
    return await delete(ids, onProgress: onProgress)
  }

  /// Deletes items. Items that do not exist count as deleted.
  ///
  /// - Returns: The number of items that were not deleted because the server was unreachable or rejected the deletion.
  @discardableResult
  func delete(_ ids: [ItemID], onProgress: @Sendable (_ done: Int) -> Void) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      var (rest, done, failed) = (ids[...], 0, 0)
      func addTask() {
        guard let id = rest.popFirst() else { return }
        group.addTask { await self.delete(id) }
      }
      for _ in 0..<Self.concurrency { addTask() }
      while let isDeleted = await group.next() {
        done += 1
        if !isDeleted { failed += 1 }
        // The remaining deletions would most likely fail too, each after a timeout.
        if failed >= Self.failureLimit { rest = [] } else { addTask() }
        if done.isMultiple(of: 1000) { onProgress(done) }
      }
      return failed + ids.count - done
    }
  }

  /// The maximum number of concurrent deletions, which the server can commit together.
  private static let concurrency = 64
  /// The number of failed deletions after which no more are attempted.
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
