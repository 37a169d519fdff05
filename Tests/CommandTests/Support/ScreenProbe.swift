import Synchronization

@testable import todo

/// A terminal that a test plays the person at.
final class ScreenProbe: Sendable {
  private struct State {
    var size: WindowSize? = WindowSize(rows: 7, columns: 60)
    var report: (@Sendable (TerminalEvent) -> Void)?
    var log: [String] = []
  }

  private let state = Mutex(State())
  /// Everything that is printed, a write at a time.
  private let output: AsyncStream<String>
  private let print: AsyncStream<String>.Continuation

  init() {
    (output, print) = AsyncStream.makeStream()
  }

  /// Puts this terminal where the program of a bench runs.
  func attach(to bench: TestBench, isTerminal: Bool = true) {
    bench.change { [self] in
      $0.isInteractive = isTerminal
      $0.environment["NO_COLOR"] = "1"
      $0.screen = screen
      $0.onOutput = { [self] in _ = print.yield($0) }
    }
  }

  /// What was done to the terminal, in order.
  var log: [String] { state.withLock(\.log) }

  func happen(_ event: TerminalEvent) {
    state.withLock(\.report)?(event)
  }

  func resize(to size: WindowSize) {
    state.withLock { $0.size = size }
    happen(.resized)
  }

  /// Waits until a text is printed, and returns the write that has it.
  @discardableResult
  func wait(for text: String) async -> String {
    for await written in output where written.contains(text) { return written }
    return ""
  }

  private var screen: TerminalScreen {
    TerminalScreen(
      size: { [self] in state.withLock(\.size) },
      listen: { [self] listening, report in
        state.withLock {
          $0.report = report
          $0.log.append("listen for \(listening)")
        }
        return { [self] in
          state.withLock {
            $0.report = nil
            $0.log.append("ignore")
          }
        }
      },
      enter: { [self] in note("enter") },
      leave: { [self] in note("leave") },
      suspend: { [self] in note("suspend") })
  }

  private func note(_ text: String) {
    state.withLock { $0.log.append(text) }
  }
}
