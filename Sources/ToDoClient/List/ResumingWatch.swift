package import ToDoModel

extension ToDoService {
  /// Watches the list for as long as the task lives, also where `watch` by itself gives up: when too much happened while
  /// `body` was busy, the watch resumes where it was cut off, or, where that is no longer kept, starts anew with
  /// `WatchEvent.restarted` and a snapshot.
  ///
  /// - Parameter body: is given each event in turn.
  /// - Throws: what `body` throws, and what the watch throws before its first event or for another reason.
  package func watchOn(
    from start: WatchStart, state: ItemState = .all, _ body: (WatchEvent) async throws -> Void
  ) async throws {
    var start = start
    var isResumed = false
    while let next = try await watchOnce(from: start, isResumed: isResumed, state: state, body) {
      start = next
      isResumed = true
      if start == .snapshot { try await body(.restarted) }
    }
  }

  /// - Returns: where to go on; `nil` when the watch is over.
  private func watchOnce(
    from start: WatchStart, isResumed: Bool, state: ItemState, _ body: (WatchEvent) async throws -> Void
  ) async throws -> WatchStart? {
    var events = watch(from: start, state: state).makeAsyncIterator()
    // A watch that fails before it has told anything would fail again.
    var hasBegun = false
    var isWhole = start != .snapshot
    while true {
      let event: WatchEvent?
      do {
        event = try await events.next()
      } catch ToDoError.watchTooSlow(let resume) where hasBegun {
        return isWhole ? .after(resume) : .snapshot
      } catch ToDoError.revisionCompacted where hasBegun || isResumed && start != .snapshot {
        return .snapshot
      } catch ToDoError.listReplaced where hasBegun || isResumed && start != .snapshot {
        return .snapshot
      }
      guard let event else { return nil }
      hasBegun = true
      switch event {
      case .restarted: isWhole = false
      case .snapshotEnd: isWhole = true
      case .snapshotPage, .changes, .progress: break
      }
      try await body(event)
    }
  }
}
