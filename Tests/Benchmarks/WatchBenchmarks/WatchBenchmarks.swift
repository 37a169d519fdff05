import Foundation
import Synchronization
import ToDoClient
import ToDoModel

/// Measures watching: how long a change takes to all watchers of a list, and what they cost the server.
///
///     swift build -c release --product todo-server
///     swift run -c release WatchBenchmarks [--watchers 1000] [--stalled 100] [--changes 100]
///     swift run -c release WatchBenchmarks --churn 100000
///
/// Starts the server that was built beside it, over an empty database in a temporary directory. First all watchers
/// listen; then, in turns with that, so many others besides that never read, whose connections were filled before. A
/// latency is from the moment when the write was acknowledged to the moment when the watcher's task has the change; one
/// client process has all the watchers, so its own work is in it. The second form opens and drops so many watches.
@main
struct WatchBenchmarks {
  static func main() async throws {
    raiseDescriptorLimit()
    let directory = FileManager.default.temporaryDirectory.appending(path: "WatchBenchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let server = try BenchmarkServer(in: directory.path)
    defer { server.stop() }
    let churn = option("--churn", 0)
    if churn > 0 { try await Churn.run(churn, server) } else { try await measure(server) }
  }

  private static func measure(_ server: BenchmarkServer) async throws {
    let (watcherCount, stalledCount) = (option("--watchers", 1000), option("--stalled", 100))
    let changeCount = option("--changes", 100)
    let writer = ToDoClient(endpoint: server.endpoint)
    let idleMemory = server.residentBytes
    let watchers = try await Watchers.start(watcherCount, of: server.endpoint)
    print(
      "watchers: \(watcherCount), \((server.residentBytes - idleMemory) / watcherCount / 1024) KiB of the server each")
    let before = server.cpuSeconds
    // The CPU time that idle watches use is measured over this time.
    try await Task.sleep(for: .seconds(5))
    print("while nothing changes: \(Int((server.cpuSeconds - before) / 5 * 1e6)) us of CPU a second")

    var ratios: [Double] = []
    for round in 0..<5 {
      let alone = try await run("round \(round + 1)", changeCount, watchers, writer, server)
      guard stalledCount > 0 else { continue }
      let stalled = try await StalledWatcher.start(stalledCount, of: server.endpoint)
      try await fill(writer, watchers)
      let besides = try await run(
        "round \(round + 1), beside those that do not read", changeCount, watchers, writer, server)
      for watcher in stalled { watcher.stop() }
      ratios.append(besides.percentile(99) / alone.percentile(99))
    }
    if !ratios.isEmpty {
      let rounded = ratios.sorted().map { ($0 * 100).rounded() / 100 }
      print("p99 beside \(stalledCount) that do not read, ratio: \(rounded[rounded.count / 2]), in rounds \(rounded)")
    }
    watchers.stop()
    await writer.close()
  }

  /// Changes the list, one change after the other, and returns how long each took to each watcher.
  private static func run(
    _ name: String, _ count: Int, _ watchers: Watchers, _ writer: ToDoClient, _ server: BenchmarkServer
  ) async throws -> [Duration] {
    var latencies: [Duration] = []
    let before = server.cpuSeconds
    for _ in 0..<count {
      let item = try await writer.addItem(newItem(), options: SaveOptions(allowsDuplicate: true))
      let acknowledged = ContinuousClock.now
      latencies += await watchers.arrivals(of: item.revision).map { max(.zero, acknowledged.duration(to: $0)) }
    }
    let deliveries = Double(latencies.count)
    let cost = (server.cpuSeconds - before) / deliveries * 1e6
    print(
      "\(name): p50 \(latencies.percentile(50)), p99 \(latencies.percentile(99)), "
        + "max \(latencies.percentile(100)), \((cost * 10).rounded() / 10) us of server CPU a delivery")
    return latencies
  }

  /// Sends what fills the connections of those who do not read.
  private static func fill(_ writer: ToDoClient, _ watchers: Watchers) async throws {
    let text = String(repeating: "x", count: 65_000)
    for _ in 0..<150 {
      let item = try await writer.addItem(newItem(text), options: SaveOptions(allowsDuplicate: true))
      _ = await watchers.arrivals(of: item.revision)
    }
  }

  private static func newItem(_ description: String? = nil) -> NewItem {
    NewItem(
      id: ItemID(time: SystemWallClock().now()),
      content: ItemContent(
        title: "Buy milk and bread", itemDescription: description ?? "On the way home, before the shop closes",
        location: Location(name: "Corner shop")))
  }

  private static func option(_ name: String, _ standard: Int) -> Int {
    let arguments = CommandLine.arguments
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return standard }
    return Int(arguments[index + 1]) ?? standard
  }

  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}

extension [Duration] {
  fileprivate func percentile(_ percent: Int) -> Duration {
    let sorted = sorted()
    return sorted.isEmpty ? .zero : sorted[Swift.min(sorted.count - 1, sorted.count * percent / 100)]
  }
}
