import Logging
import NIOCore
import Synchronization
import ToDoClient
import ToDoModel
import ToDoTTRPCTransport

/// Composes and performs a load test: adds items, runs the load, deletes the items and creates the report.
struct LoadTest: Sendable {
  let settings: LoadSettings
  let statusLine: StatusLine
  let isInterrupted: @Sendable () -> Bool

  private var plan: LoadPlan { settings.plan }

  /// Performs the test.
  ///
  /// - Throws: `RPCError`, `ToDoError` or `TLSFileError` if the server cannot be reached or rejects the first requests.
  ///   `CancellationError` if the user interrupts the test before the run starts.
  func perform() async throws -> LoadReport {
    let client = ToDoClient(
      endpoint: plan.endpoint, configuration: settings.client,
      logger: Logger(label: "todo-load") { _ in SwiftLogNoOpLogHandler() })
    do {
      let report = try await perform(client)
      await client.close()
      return report
    } catch {
      await client.close()
      throw error
    }
  }

  private func perform(_ client: ToDoClient) async throws -> LoadReport {
    defer { statusLine.clear() }
    // Fails with a clear error if the server cannot be used.
    _ = try await client.info()
    let items = RunItems(service: client, name: "Load \(Self.randomName())")
    let seeds = RunSeeds(plan)
    let list = seeds.moving > 0 ? try await RunList(in: client) : nil
    do {
      let ids = try await items.add(seeds, isInterrupted: isInterrupted) { done in
        statusLine.show("adding items: \(Figure.count(done)) of \(Figure.count(seeds.count))")
      }
      let report = try await perform(client, items, ids, seeds, list)
      if !settings.keepsItems { await list?.end() }
      return report
    } catch {
      await list?.end()
      throw error
    }
  }

  private func perform(
    _ client: ToDoClient, _ items: RunItems, _ ids: [ItemID], _ seeds: RunSeeds, _ list: RunList?
  ) async throws -> LoadReport {
    do {
      let workload = Workload(plan.mix, ids: ids, seeds, name: items.name, seed: .random(in: 0 ... .max))
      var (report, made) = try await run(workload, client, list)
      if !settings.keepsItems {
        // Deletions would only run into timeouts if the server is unreachable.
        report.remainingItems =
          report.ending == .serverLost ? made.count : await deleteAll(made, seeds, items, client, list)
      }
      return report
    } catch {
      if !settings.keepsItems { _ = await deleteAll(ids, seeds, items, client, list) }
      throw error
    }
  }

  /// Deletes the items of a run in both lists.
  ///
  /// - Returns: The number of items that remain.
  private func deleteAll(
    _ ids: [ItemID], _ seeds: RunSeeds, _ items: RunItems, _ client: ToDoClient, _ list: RunList?
  ) async -> Int {
    var remaining = await delete(ids, items)
    if seeds.repeating > 0 {
      remaining += await items.deleteOccurrences { done in
        statusLine.show("deleting done items: \(Figure.count(done))")
      }
    }
    guard let list else { return remaining }
    return remaining
      + (await delete(Array(ids[seeds.movingItems]), RunItems(service: client.items(in: list.id), name: items.name)))
  }

  private func delete(_ ids: [ItemID], _ items: RunItems) async -> Int {
    await items.delete(ids) { done in
      statusLine.show("deleting items: \(Figure.count(done)) of \(Figure.count(ids.count))")
    }
  }

  // MARK: The run

  private func run(
    _ workload: Workload, _ client: ToDoClient, _ list: RunList?
  ) async throws -> (LoadReport, made: [ItemID]) {
    var runPlan = plan
    if let list { runPlan.otherList = list.id }
    let (meter, problems) = (CPUMeter(), Problems())
    let watchers = Watchers(count: plan.watchers, onFailure: problems.record)
    let outcome = try await watchers.withWatches(on: client) {
      let outcome = try await LoadRun(
        plan: runPlan, transport: transport, metadata: settings.client.metadata(for: plan.endpoint)
      )
      .perform(workload, makeObserver(meter, watchers, problems)) { channel in
        meter.setServer(await serverProcess(on: channel))
      }
      await watchers.waitForDeliveries(within: .nanoseconds(plan.timeout), isInterrupted: isInterrupted)
      return outcome
    }
    var report = LoadReport(plan, outcome, meter.usage(elapsed: outcome.end))
    report.serverProcess = meter.server?.id
    report.problems = problems.all
    if plan.watchers > 0 {
      let tracker = watchers.deliveries
      report.deliveries = .init(
        watchers: plan.watchers, latencies: LatencySummary(tracker.latencies), missing: tracker.missing)
    }
    return (report, outcome.ids)
  }

  private var transport: ClientConfiguration {
    var transport = ClientConfiguration()
    transport.tls = settings.client.tls
    transport.unixUsers = settings.client.trustedUnixUsers
    return transport
  }

  private func serverProcess(on channel: any Channel) async -> MeasuredServer? {
    if let id = settings.serverProcess { return MeasuredServer(id: id) }
    return await MeasuredServer(servingOn: channel)
  }

  private func makeObserver(_ meter: CPUMeter, _ watchers: Watchers, _ problems: Problems) -> LoadObserver {
    var observer = LoadObserver()
    observer.onStart = { meter.begin() }
    observer.onEnd = { meter.end() }
    observer.onAcknowledgement = { watchers.recordAcknowledgement(of: $0, isMeasured: $1) }
    if statusLine.isVisible {
      observer.onProgress = { [statusLine] in statusLine.show(StatusLine.text($1, at: $0, seconds: $2)) }
    }
    observer.onProtocolError = { problems.record("a connection was closed after a protocol violation: \($0)") }
    observer.isCancelled = isInterrupted
    return observer
  }

  private static func randomName() -> String {
    String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
  }
}

/// The distinct problems that are not failed requests, such as a watch that ended early.
private final class Problems: Sendable {
  private let texts = Mutex<[String]>([])
  private static let limit = 10

  @Sendable func record(_ text: String) {
    texts.withLock { if !$0.contains(text), $0.count < Self.limit { $0.append(text) } }
  }

  var all: [String] { texts.withLock { $0 } }
}
