import Glibc

/// Measures what a message costs, and a request's way through the server, without sockets. Run it alone, in a release
/// build:
///
///     swift run -c release MessageBenchmarks                  the time of each, in nanoseconds
///     swift run -c release MessageBenchmarks encode-item 1000 does one so often, for those who count instructions
///
/// Everything but `add-item` happens on the main thread, with nothing asynchronous, so that the counted instructions do
/// not include the threads of Swift's runtime.
@main
struct MessageBenchmarks {
  private static let rounds = 9
  private static let roundTime = Duration.milliseconds(200)

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let name = arguments.first else { return measureAll() }
    guard let work = Work(rawValue: name), let count = arguments.dropFirst().first.flatMap({ Int($0) }) else {
      print("usage: MessageBenchmarks [\(Work.allCases.map(\.rawValue).joined(separator: "|")) COUNT]")
      exit(2)
    }
    work.prepare()(count)
  }

  /// The works take turns, so that a noisy moment hits all.
  private static func measureAll() {
    let works = Work.allCases.map { (name: $0.rawValue, perform: $0.prepare()) }
    let counts = works.map { count(filling: roundTime, $0.perform) }
    var times = [[Double]](repeating: [], count: works.count)
    for _ in 0..<rounds {
      for (index, work) in works.enumerated() {
        let time = ContinuousClock().measure { work.perform(counts[index]) }
        times[index].append(time / .nanoseconds(counts[index]))
      }
    }
    for (work, times) in zip(works, times) {
      let sorted = times.sorted()
      print("\(work.name): \(Int(sorted[rounds / 2])) ns, \(Int(sorted[0])) to \(Int(sorted[rounds - 1]))")
    }
  }

  private static func count(filling time: Duration, _ perform: (Int) -> Void) -> Int {
    var count = Work.batch
    while ContinuousClock().measure({ perform(count) }) < time / 2 { count *= 2 }
    return count
  }
}
