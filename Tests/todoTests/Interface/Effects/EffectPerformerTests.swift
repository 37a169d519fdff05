import Synchronization
import Testing
import ToDoModel
import ToDoRPC
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens
@testable import todo

@Suite(.unitTimeLimited) struct EffectPerformerTests {
  private let queue = EventQueue()

  private func performer(_ service: any ToDoService, _ bench: TestBench = TestBench()) -> EffectPerformer {
    EffectPerformer(service, lists: bench.lists, bench.context, queue)
  }

  /// Waits for a number of results.
  private func results(
    _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [EffectResult] {
    var results: [EffectResult] = []
    let wakeUps = Subscription(queue.wakeUps)
    while results.count < count, (try? await wakeUps.next(sourceLocation: sourceLocation)) != nil {
      results += queue.takeUrgent().results
    }
    return results
  }

  private static func item(_ id: ItemID, at revision: Int64 = 1) -> ToDoItem {
    ToDoItem(
      id: id, number: ItemNumber(1), content: ItemContent(title: "Milk"), createdAt: TestBench.start,
      updatedAt: TestBench.start, revision: Revision(revision))
  }

  @Test func changes_areMadeInOrder() async throws {
    let bench = TestBench()
    await bench.run("add Milk")
    let performer = performer(bench.service, bench)
    let id = TestBench.id(1)
    for effect in [Effect.check(id), .uncheck(id), .delete(id), .revert(Revision(4))] { performer.perform(effect) }
    let results = await results(4)
    #expect(results[0] == .changed(id, .checked, .success(Revision(2))))
    #expect(results[1] == .changed(id, .unchecked, .success(Revision(3))))
    #expect(results[2] == .changed(id, .deleted, .success(Revision(4))))
    #expect(results[3] == .reverted(.success(Reversal(revision: Revision(5), revertedCount: 1))))
    #expect(!performer.hasPendingEffects)
    await performer.stop()
  }

  @Test func deletionOfMany_isOneChange() async {
    let bench = TestBench()
    await bench.run("add Milk")
    await bench.run("add Bread")
    let performer = performer(bench.service, bench)
    for effect in [Effect.deleteAll(.all), .revert(Revision(3))] { performer.perform(effect) }
    let results = await results(2)
    #expect(results[0] == .deletedAll(.all, .success(BulkDeletionResult(deletedCount: 2, revision: Revision(3)))))
    #expect(results[1] == .reverted(.success(Reversal(revision: Revision(4), revertedCount: 2))))
    await performer.stop()
  }

  @Test func split_whenItemHasChanged_canBeRepeated() async throws {
    let bench = TestBench()
    await bench.run("add Water --due today --repeat daily")
    let performer = performer(bench.service, bench)
    let item = try await bench.service.item(TestBench.id(1))
    var edit = ItemEdit()
    edit.title = "Feed"
    let split = try #require(OccurrenceSplit(edit, of: item, now: TestBench.start, in: bench.context.zone))
    performer.perform(.split(item.id, split, ifRevision: Revision(7), SaveOptions()))
    guard case .saved(.failure(let failure))? = await results(1).first else {
      Issue.record("a change of another revision was saved")
      return
    }
    #expect(failure.kind == .changedElsewhere)
    performer.perform(.split(item.id, split, ifRevision: item.revision, SaveOptions()))
    let results = await results(2)
    let rest = try await bench.service.item(item.id)
    #expect(rest.due != item.due)
    #expect(results.first == .changed(item.id, .skipped, .success(rest.revision)))
    guard case .saved(.success(let occurrence))? = results.last else {
      Issue.record("the occurrence was not saved")
      return
    }
    #expect((occurrence.title, occurrence.due) == ("Feed", item.due))
    #expect(try await bench.service.items(ItemQuery()).items.count == 2)
    await performer.stop()
  }

  @Test func changes_whenTooManyArePending_fail() async {
    let gate = Condition(false)
    var service = FailingService()
    service.checking = { id in
      await gate.wait { $0 }
      return Self.item(id)
    }
    let performer = performer(service)
    for number in 0...EffectPerformer.changeLimit { performer.perform(.check(TestBench.id(UInt64(number)))) }
    let last = TestBench.id(UInt64(EffectPerformer.changeLimit))
    #expect(await results(1) == [.changed(last, .checked, .failure(.tooManyChanges))])
    gate.change { $0 = true }
    #expect(await results(EffectPerformer.changeLimit).count == EffectPerformer.changeLimit)
    await performer.stop()
  }

  @Test func add_whenRepeatedAfterLostResponse_hasSameID() async {
    let ids = Mutex<[ItemID]>([])
    var service = FailingService()
    service.adding = { item in
      let count = ids.withLock { ids in
        ids.append(item.id)
        return ids.count
      }
      if count == 1 { throw RPCError(.unavailable, reason: "", "the connection was lost") }
      return Self.item(item.id)
    }
    let performer = performer(service)
    let add = Effect.add(ItemContent(title: "Milk"), SaveOptions())
    performer.perform(add)
    let failure = EffectFailure(kind: .unreachable, message: "the connection was lost")
    #expect(await results(1) == [.saved(.failure(failure))])
    performer.perform(add)
    #expect(await results(1) == [.saved(.success(Self.item(TestBench.id(1))))])
    performer.perform(add)
    #expect(await results(1).count == 1)
    let sent = ids.withLock(\.self)
    #expect(sent.count == 3)
    #expect(sent[0] == sent[1])
    #expect(sent[1] != sent[2])
    await performer.stop()
  }

  @Test func add_afterFormWasClosed_hasNewID() async {
    let ids = Mutex<[ItemID]>([])
    var service = FailingService()
    service.adding = { item in
      ids.withLock { $0.append(item.id) }
      throw ToDoError.storeFull
    }
    let performer = performer(service)
    for _ in 0..<2 {
      performer.perform(.add(ItemContent(title: "Milk"), SaveOptions()))
      _ = await results(1)
      performer.endNewItem()
    }
    let sent = ids.withLock(\.self)
    #expect(Set(sent).count == 2)
    await performer.stop()
  }

  @Test func geocode_whenStartedAgain_cancelsEarlierOne() async {
    let waiting = Condition(0)
    let gate = Condition(false)
    let places = GeocodeResult(candidates: [.alte], attribution: "The mock's places")
    var service = FailingService()
    service.description = ServiceInfo(capabilities: [.markGuesses], time: TestBench.start)
    service.geocoding = { query in
      guard query.address == "first" else { return places }
      waiting.change { $0 += 1 }
      await gate.wait { $0 }
      try Task.checkCancellation()
      return places
    }
    let performer = performer(service)
    performer.perform(.geocode(GeocodeQuery(address: "first")))
    await waiting.wait { $0 == 1 }
    let second = GeocodeQuery(address: "second")
    performer.perform(.geocode(second))
    #expect(await results(1) == [.geocoded(second, .success(places))])
    performer.perform(.geocode(GeocodeQuery(address: "first")))
    await waiting.wait { $0 == 2 }
    performer.perform(.cancelGeocoding)
    await performer.stop()
    #expect(queue.takeUrgent().results.isEmpty)
  }

  @Test func geocode_whenStartedAgain_cancelsTheEarlierRequest() async {
    let (isWaiting, isCancelled, never) = (Condition(false), Condition(false), Condition(false))
    var service = FailingService()
    service.geocoding = { query in
      guard query.address == "first" else { return GeocodeResult(candidates: [], attribution: "") }
      isWaiting.change { $0 = true }
      await never.wait { $0 }
      isCancelled.change { $0 = Task.isCancelled }
      throw CancellationError()
    }
    let performer = performer(service)
    performer.perform(.geocode(GeocodeQuery(address: "first")))
    await isWaiting.wait { $0 }
    performer.perform(.geocode(GeocodeQuery(address: "second")))
    await isCancelled.wait { $0 }
    await performer.stop()
  }

  @Test(
    arguments: [
      (ToDoError.addressNotFound([]), .addressNotFound), (.geocoderUnavailable(detail: "x"), .lookupFailed),
      (.duplicateItem(TestBench.id(1), existing: TestBench.id(2)), .duplicate),
      (.revisionMismatch(TestBench.id(1), current: Revision(3)), .changedElsewhere),
      (.itemNotFound(TestBench.id(1)), .changedElsewhere), (.storeUnavailable(detail: "x"), .unreachable),
      (.storeFull, .other), (.readOnly, .other),
    ] as [(ToDoError, EffectFailure.Kind)])
  func failure_hasKindOfError(_ error: ToDoError, _ kind: EffectFailure.Kind) {
    let failure = EffectFailure(error)
    #expect(failure.kind == kind)
    #expect(!failure.message.isEmpty)
    #expect(failure.message.last != ".")
  }

  @Test func failure_ofInvalidItem_namesFields() {
    let error = ToDoError.invalidItem([FieldViolation("item.title", "must not be blank")])
    #expect(EffectFailure(error).message == "the item is not valid: title must not be blank")
  }

  @Test func failure_whenDeletionMustBePermanent_namesTheCommand() {
    let failure = EffectFailure(ToDoError.deletionMustBePermanent(deletedCount: 0, limitBytes: nil))
    #expect(
      failure.message == "the disk is full; a deletion can't be undone then; 'todo delete' asks for permission")
  }

  @Test func geocode_ofEarlierService_isAGuessUnlessItHasEveryWord() async {
    var service = FailingService()
    service.description = ServiceInfo(time: TestBench.start)
    service.geocoding = { _ in GeocodeResult(candidates: [.alte], attribution: "") }
    let performer = performer(service)
    for (address, expected) in [("Zoo", true), ("Munich", false)] {
      performer.perform(.geocode(GeocodeQuery(address: address)))
      guard case .geocoded(_, .success, let isGuess)? = await results(1).first else { Issue.record("no result"); break }
      #expect(isGuess == expected)
    }
    await performer.stop()
  }

  @Test(arguments: [true, false]) func geocode_ofUncertainAddress_isAGuess(_ isGuess: Bool) async {
    var service = FailingService()
    service.description = ServiceInfo(capabilities: [.markGuesses], time: TestBench.start)
    var candidate = GeocodeCandidate.alte
    candidate.isGuess = isGuess
    let places = GeocodeResult(candidates: [candidate], attribution: "")
    service.geocoding = { _ in places }
    let performer = performer(service)
    let query = GeocodeQuery(address: "Zoo")
    performer.perform(.geocode(query))
    #expect(await results(1) == [.geocoded(query, .success(places), isGuess: isGuess)])
    await performer.stop()
  }

  @Test func sort_returnsIDsInOrder() async {
    let titles = ["b", "C", "a"]
    let items = titles.enumerated().map { index, title in
      var item = Self.item(TestBench.id(UInt64(index)))
      item.content.title = title
      return ListedItem(item)
    }
    let performer = performer(FailingService())
    performer.perform(.sort(items, .title))
    #expect(await results(1) == [.sorted(.title, [TestBench.id(2), TestBench.id(0), TestBench.id(1)])])
    await performer.stop()
  }

  @Test(
    arguments: [
      (["DISPLAY": ":0"], ["https://x"]), (["WAYLAND_DISPLAY": "w"], ["https://x"]), ([:], []),
      (["DISPLAY": ":0", "SSH_CONNECTION": "a b"], []),
    ] as [([String: String], [String])])
  func open_withoutDesktop_returnsURL(_ environment: [String: String], _ opened: [String]) async {
    let bench = TestBench()
    let urls = Mutex<[String]>([])
    let openURL: @Sendable (String) async -> Bool = { url in
      urls.withLock { $0.append(url) }
      return false
    }
    bench.change {
      $0.environment = environment
      $0.openURL = openURL
    }
    let performer = performer(FailingService(), bench)
    performer.perform(.open(url: "https://x"))
    #expect(await results(1) == [.notOpened(url: "https://x")])
    #expect(urls.withLock(\.self) == opened)
    await performer.stop()
  }
}
