// What Tests/ThreadSanitizer/run tries first: whether the sanitizer is silent about threads that keep out of each other's
// way, and speaks about threads that do not (with `--racy`).
import Foundation
import Synchronization

final class Counter: Sendable {
  private let counts = Mutex([Int: Int]())

  func count(_ number: Int) { counts.withLock { $0[number % 7, default: 0] += 1 } }
}

// Unsafe on purpose.
nonisolated(unsafe) var shared = 0
let isRacy = CommandLine.arguments.contains("--racy")
let counter = Counter()
let ended = DispatchSemaphore(value: 0)
for _ in 0..<4 {
  Thread {
    for number in 0..<20_000 {
      counter.count(number)
      if isRacy { shared += 1 }
    }
    ended.signal()
  }.start()
}
for _ in 0..<4 { ended.wait() }
