import Observation
import Synchronization
import Testing
import ToDoClient
import ToDoModel
import ToDoRPC
import ToDoTestSupport

@Suite(.timeLimited) struct ToDoListModelTests {
  /// Runs a model while `body` runs, then cancels it.
  private func withModel(
    of service: ScriptedWatch, showing shown: ItemState = .all, _ body: @Sendable (ToDoListModel) async throws -> Void
  ) async throws {
    let model = ToDoListModel(service: service, showing: shown)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try? await model.run() }
      try await body(model)
      group.cancelAll()
    }
  }

  @Test func updates_whenListIsLoaded_beginWithIt() async throws {
    let service = ScriptedWatch()
    service.emit(.snapshotPage([sample(1, at: 1)]), .snapshotEnd(Revision(1)))
    try await withModel(of: service) { model async throws in
      let early = Subscription(model.updates)
      #expect(try await early.next()?.toDo == [sample(1, at: 1)])
      let late = Subscription(model.updates)
      #expect(try await late.next()?.toDo == [sample(1, at: 1)])
      #expect(model.list?.revision == Revision(1))
    }
    #expect(service.starts == [.snapshot])
  }

  @Test func updates_whenListChanges_reachEverySubscriber() async throws {
    let service = ScriptedWatch()
    try await withModel(of: service) { model async throws in
      let first = Subscription(model.updates)
      let second = Subscription(model.updates)
      service.emit(.snapshotEnd(Revision(0)))
      #expect(try await first.next() == ToDoList())
      #expect(try await second.next() == ToDoList())
      service.emit(.put(.added, sample(1, at: 1)))
      #expect(try await first.next() == ToDoList(toDo: [sample(1, at: 1)], revision: Revision(1)))
      #expect(try await second.next()?.revision == Revision(1))
    }
  }

  @Test func updates_whenSubscriberIsSlow_skipIntermediateLists() async throws {
    let service = ScriptedWatch()
    try await withModel(of: service) { model async throws in
      let slow = Subscription(model.updates)
      let fast = Subscription(model.updates)
      service.emit(.snapshotEnd(Revision(0)))
      for revision in Int64(1)...100 { service.emit(.put(.added, sample(Int(revision), at: revision))) }
      while let list = try await fast.next(), list.revision < Revision(100) {}
      #expect(try await slow.next()?.count == 100)
    }
  }

  @Test func run_whenWatchFails_endsUpdates() async throws {
    let service = ScriptedWatch()
    service.script(.emit(.snapshotEnd(Revision(4))), .fail(ToDoError.storeFull))
    let model = ToDoListModel(service: service)
    let before = Subscription(model.updates)
    await #expect(throws: ToDoError.storeFull) { try await model.run() }
    #expect(try await before.next()?.revision == Revision(4))
    #expect(try await before.next() == nil)
    let after = Subscription(model.updates)
    #expect(try await after.next()?.revision == Revision(4))
    #expect(try await after.next() == nil)
  }

  @Test func run_whenCancelled_endsUpdates() async throws {
    let model = ToDoListModel(service: ScriptedWatch())
    let updates = Subscription(model.updates)
    let running = Task { try await model.run() }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(try await updates.next() == nil)
  }

  @Test func run_afterItEnded_runsAgain() async throws {
    let service = ScriptedWatch(watches: 2)
    service.script(.emit(.snapshotPage([sample(1, at: 1)])), .fail(ToDoError.storeFull))
    service.script(.emit(.snapshotPage([sample(2, at: 2)])), .emit(.snapshotEnd(Revision(2))), .end, watch: 1)
    let model = ToDoListModel(service: service)
    await #expect(throws: ToDoError.storeFull) { try await model.run() }
    try await model.run()
    #expect(model.list == ToDoList(toDo: [sample(2, at: 2)], revision: Revision(2)))
  }

  @Test func run_whenWatchIsTooSlow_resumes() async throws {
    let service = ScriptedWatch(watches: 2)
    service.script(.emit(.snapshotEnd(Revision(2))), .fail(ToDoError.watchTooSlow(resume: Revision(2))))
    service.script(.emit(.put(.added, sample(1, at: 3))), .end, watch: 1)
    let model = ToDoListModel(service: service, showing: .toDo)
    try await model.run()
    #expect(service.starts == [.snapshot, .after(Revision(2))])
    #expect(service.states == [.toDo, .toDo])
    #expect(model.list?.toDo == [sample(1, at: 3)])
  }

  @Test func run_whenWatchIsTooSlowInsideSnapshot_restarts() async throws {
    let service = ScriptedWatch(watches: 2)
    service.script(
      .emit(.snapshotPage([sample(1, at: 1)])), .fail(ToDoError.watchTooSlow(resume: Revision(2))))
    service.script(.emit(.snapshotEnd(Revision(3))), .end, watch: 1)
    let model = ToDoListModel(service: service)
    try await model.run()
    #expect(service.starts == [.snapshot, .snapshot])
    #expect(model.list == ToDoList(revision: Revision(3)))
  }

  @Test func run_whenListWasReplaced_restarts() async throws {
    let service = ScriptedWatch(watches: 3)
    service.script(.emit(.snapshotEnd(Revision(2))), .fail(ToDoError.watchTooSlow(resume: Revision(2))))
    service.script(.fail(ToDoError.listReplaced), watch: 1)
    service.script(.emit(.snapshotEnd(Revision(1))), .end, watch: 2)
    let model = ToDoListModel(service: service)
    try await model.run()
    #expect(service.starts == [.snapshot, .after(Revision(2)), .snapshot])
    #expect(model.list?.revision == Revision(1))
  }

  @Test func run_whenMissedChangesWereCompacted_restarts() async throws {
    let service = ScriptedWatch(watches: 3)
    service.script(.emit(.snapshotEnd(Revision(2))), .fail(ToDoError.watchTooSlow(resume: Revision(2))))
    service.script(.fail(ToDoError.revisionCompacted(oldest: Revision(5))), watch: 1)
    service.script(.emit(.snapshotEnd(Revision(9))), .end, watch: 2)
    let model = ToDoListModel(service: service)
    try await model.run()
    #expect(service.starts == [.snapshot, .after(Revision(2)), .snapshot])
    #expect(model.list?.revision == Revision(9))
  }

  @Test(arguments: [ToDoError.watchTooSlow(resume: Revision(0)), .revisionCompacted(oldest: Revision(1))])
  func run_whenWatchFailsBeforeItsFirstEvent_throws(error: ToDoError) async throws {
    let service = ScriptedWatch(watches: 2)
    service.script(.fail(error))
    await #expect(throws: error) { try await ToDoListModel(service: service).run() }
    #expect(service.starts == [.snapshot])
  }

  @Test func list_whenObserved_reportsChanges() async throws {
    let service = ScriptedWatch()
    let model = ToDoListModel(service: service)
    let seen = Mutex<[Revision?]>([])
    withObservationTracking {
      #expect(model.list == nil)
    } onChange: {
      seen.withLock { $0.append(model.list?.revision) }
    }
    service.script(.emit(.snapshotPage([])), .emit(.snapshotEnd(Revision(1))), .emit(.progress(Revision(2))), .end)
    try await model.run()
    #expect(seen.withLock(\.self) == [Revision(1)])
  }

  @Test func run_whenListExceedsTheLimit_throws() async throws {
    let service = ScriptedWatch()
    service.emit(.snapshotEnd(.initial))
    for number in 1...10 { service.emit(.put(.added, sample(number, at: Int64(number)))) }
    let model = ToDoListModel(service: service, maximumSize: 1000)
    let error = await #expect(throws: RPCError.self) { try await model.run() }
    #expect(error?.isMalformedResponse == true)
    #expect(model.list.map { $0.count < 10 } == true)
  }
}
