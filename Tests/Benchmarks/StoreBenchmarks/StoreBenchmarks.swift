import Foundation
import Synchronization
import ToDoModel
import ToDoRules
import ToDoStores

/// Measures the SQLite store. Run it alone, in a release build, on the kind of disk in question, because adds wait for the disk.
///
///     swift run -c release StoreBenchmarks [DIRECTORY] [--large] [--near] [--search]
///
/// The first part measures the gain of committing in groups, in durable adds per second: one writer, with one transaction and
/// one sync per write; 64 writers whose writes are committed one by one; 64 writers whose writes share commits. They take
/// turns, so that a noisy moment affects all. The second part measures reads. The third part measures nearby searches in lists
/// of 1,000, 100,000 and, with `--large`, 1,000,000 items; with `--near`, only the third part runs.
@main
struct StoreBenchmarks {
  private static let rounds = 5
  private static let writerCount = 64

  static func main() async throws {
    let parent =
      CommandLine.arguments.dropFirst().first { !$0.hasPrefix("-") } ?? FileManager.default.temporaryDirectory.path
    let directory = "\(parent)/StoreBenchmarks-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    if CommandLine.arguments.contains("--search") { return try await SearchBenchmark.run(in: directory) }
    if !CommandLine.arguments.contains("--near") { try await measureStore(in: directory) }
    try await NearBenchmark.run(in: directory, upTo: CommandLine.arguments.contains("--large") ? .max : 100_000)
  }

  private static func measureStore(in directory: String) async throws {
    let oneByOne = try SQLiteToDoItemStore(path: "\(directory)/one-by-one.sqlite", groupLimit: 1)
    let grouped = try SQLiteToDoItemStore(path: "\(directory)/grouped.sqlite")
    let service = LocalToDoService(store: grouped)

    try await measureAdds(oneByOne: LocalToDoService(store: oneByOne), grouped: service)
    try await measureReads(service)
    await oneByOne.close()
    await grouped.close()
  }

  private static func measureAdds(oneByOne: LocalToDoService, grouped: LocalToDoService) async throws {
    var rates: [[Double]] = [[], [], []]
    for _ in 0..<rounds {
      rates[0].append(try await add(1024, writers: 1, to: grouped))
      rates[1].append(try await add(16 * writerCount, writers: writerCount, to: oneByOne))
      rates[2].append(try await add(128 * writerCount, writers: writerCount, to: grouped))
    }
    let names = ["one writer", "\(writerCount) writers, one by one", "\(writerCount) writers, in groups"]
    for (name, rates) in zip(names, rates) {
      print("adds a second, \(name): \(Int(median(rates))), in rounds \(rates.map { Int($0) })")
    }
    for (name, rate) in zip(names, rates).dropLast() {
      print("ratio to \(name): \((median(rates[2]) / median(rate) * 10).rounded() / 10)")
    }
  }

  /// Adds items through the service, including the search for duplicates, and returns the number of adds per second.
  private static func add(_ count: Int, writers: Int, to service: LocalToDoService) async throws -> Double {
    let time = try await ContinuousClock().measure {
      try await withThrowingTaskGroup { group in
        for _ in 0..<writers {
          group.addTask {
            for _ in 0..<count / writers {
              _ = try await service.addItem(newItem())
            }
          }
        }
        try await group.waitForAll()
      }
    }
    return Double(count) / (time / .seconds(1))
  }

  private static let number = Atomic(0)

  private static func newItem() -> NewItem {
    let number = number.add(1, ordering: .relaxed).newValue
    let now = SystemWallClock().now()
    let place = Location(
      name: "Corner shop", address: "1 High Street, Springfield",
      coordinate: Coordinate(latitude: 60.1699, longitude: 24.9384))
    let content = ItemContent(
      title: "Buy milk and bread \(number)", itemDescription: "Two bottles, one loaf, and what else there is",
      due: .time(Timestamp(microseconds: now.microseconds + Int64(number % 1000) * 86_400_000_000)), location: place)
    return NewItem(id: ItemID(time: now), content: content)
  }

  private static func measureReads(_ service: LocalToDoService) async throws {
    let first = try await service.items(ItemQuery(pageSize: 1000)).items
    let ids = first.map(\.id)
    try await measure("look-up of an item", count: 100_000) { _ = try await service.item(ids[$0 % ids.count]) }
    try await measure("first page of 100", count: 1000) { _ in _ = try await service.items(ItemQuery()) }
    try await measure("first page of 1", count: 10_000) { _ in _ = try await service.items(ItemQuery(pageSize: 1)) }
    try await measure("text that nothing holds", count: 3) { _ in
      _ = try await service.items(ItemQuery(text: "nowhere"))
    }
  }

  /// Runs operations one after the other, and prints the elapsed time and the CPU time of one.
  private static func measure(_ name: String, count: Int, _ body: (Int) async throws -> Void) async throws {
    let before = processorTime()
    let time = try await ContinuousClock().measure {
      for number in 0..<count { try await body(number) }
    }
    let (wall, processor) = (time / .microseconds(count), (processorTime() - before) / .microseconds(count))
    print("\(name): \((wall * 10).rounded() / 10) µs, \((processor * 10).rounded() / 10) µs of CPU")
  }

  private static func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
