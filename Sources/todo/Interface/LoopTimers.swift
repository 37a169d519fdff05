import ToDoScreens

/// A timer of the interface.
enum LoopTimer: Hashable, Sendable {
  /// A timer that a screen started.
  case screen(ScreenTimer)
  /// A typed ESC is not the start of an escape sequence.
  case escape
  /// Changes of the list can be drawn again.
  case frame
  /// The plain interface no longer waits for the changes of a line.
  case settling
}

/// The expiry of a timer.
struct TimerExpiry: Equatable, Sendable {
  let timer: LoopTimer
  /// The start that the expiry belongs to. Each start has another number.
  let number: Int
}

/// The running timers: tasks that sleep, and then put their expiry into the queue.
struct LoopTimers {
  private let queue: EventQueue
  private let sleep: @Sendable (Duration) async throws -> Void
  private var running: [LoopTimer: (number: Int, task: Task<Void, Never>?)] = [:]
  private var lastNumber = 0

  /// - Parameter sleep: returns after a duration, or throws if the task is canceled.
  init(_ queue: EventQueue, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    (self.queue, self.sleep) = (queue, sleep)
  }

  /// Starts a timer, in place of an earlier one. Without a duration, it expires after the pending keys have been handled.
  mutating func start(_ timer: LoopTimer, _ duration: Duration) {
    cancel(timer)
    lastNumber += 1
    let expiry = TimerExpiry(timer: timer, number: lastNumber)
    guard duration > .zero else {
      running[timer] = (expiry.number, nil)
      return queue.put { $0.add(expiry) }
    }
    let task = Task { [queue, sleep] in
      do { try await sleep(duration) } catch { return }
      queue.put { $0.add(expiry) }
    }
    running[timer] = (expiry.number, task)
  }

  mutating func cancel(_ timer: LoopTimer) {
    running.removeValue(forKey: timer)?.task?.cancel()
  }

  mutating func cancelAll() {
    for (_, task) in running.values { task?.cancel() }
    running = [:]
  }

  func isRunning(_ timer: LoopTimer) -> Bool { running[timer] != nil }

  /// Ends a timer that has expired.
  ///
  /// - Returns: whether the timer was running. It may have been canceled or started again.
  mutating func end(_ expiry: TimerExpiry) -> Bool {
    guard running[expiry.timer]?.number == expiry.number else { return false }
    running[expiry.timer] = nil
    return true
  }
}
