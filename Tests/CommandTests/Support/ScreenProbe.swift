import Synchronization

@testable import todo

/// A fake terminal at which a test acts as the user.
final class ScreenProbe: Sendable {
  private struct State {
    var size: WindowSize? = WindowSize(rows: 7, columns: 60)
    var report: (@Sendable (TerminalEvent) -> Void)?
    var log: [String] = []
  }

  private let state = Mutex(State())
  /// The output, one element per write.
  private let output: AsyncStream<String>
  private let print: AsyncStream<String>.Continuation

  init() {
    (output, print) = AsyncStream.makeStream()
  }

  /// Connects this terminal to the program of a bench.
  func attach(to bench: TestBench, isTerminal: Bool = true) {
    bench.change { [self] in
      $0.isInteractive = isTerminal
      $0.environment["NO_COLOR"] = "1"
      $0.screen = screen
      $0.onOutput = { [self] in _ = print.yield($0) }
    }
  }

  /// The operations on the terminal, in order.
  var log: [String] { state.withLock(\.log) }

  func send(_ event: TerminalEvent) {
    state.withLock(\.report)?(event)
  }

  func resize(to size: WindowSize) {
    state.withLock { $0.size = size }
    send(.resized)
  }

  /// Waits until a text is printed, and returns the write that contains it.
  @discardableResult
  func wait(for text: String) async -> String {
    for await written in output where written.contains(text) { return written }
    return ""
  }

  private var screen: TerminalScreen {
    TerminalScreen(
      size: { [self] in state.withLock(\.size) },
      listen: { [self] filter, report in
        state.withLock {
          $0.report = report
          $0.log.append("listen for \(filter)")
        }
        return { [self] in
          state.withLock {
            $0.report = nil
            $0.log.append("ignore")
          }
        }
      },
      enter: { [self] in record("enter") },
      leave: { [self] in record("leave") },
      suspend: { [self] in record("suspend") })
  }

  private func record(_ text: String) {
    state.withLock { $0.log.append(text) }
  }
}
