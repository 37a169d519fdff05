// A self-check of Tests/ThreadSanitizer/run: the sanitizer must report no race for synchronized threads, and must report
// the race of unsynchronized threads (`--racy`).
import Foundation
import Synchronization

final class Counter: Sendable {
  private let counts = Mutex([Int: Int]())

  func count(_ number: Int) { counts.withLock { $0[number % 7, default: 0] += 1 } }
}

// Deliberately not synchronized.
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
