import Synchronization
import Testing
import ToDoScreens
import ToDoTestScreens
import ToDoTestSupport

@testable import todo

/// A fake terminal at which a test acts as the user.
final class ScreenProbe: Sendable {
  private struct State {
    var size: WindowSize?
    var window: SimulatedTerminal
    /// Whether the program draws in the window.
    var isEntered = false
    var report: (@Sendable (TerminalEvent) -> Void)?
    var log: [String] = []
  }

  private let state: Mutex<State>
  /// The output, one element per write.
  private let output: AsyncStream<String>
  private let print: AsyncStream<String>.Continuation

  init(rows: Int = 7, columns: Int = 60) {
    let size = WindowSize(rows: rows, columns: columns)
    state = Mutex(State(size: size, window: SimulatedTerminal(size)))
    (output, print) = AsyncStream.makeStream()
  }

  /// Connects this terminal to the program of a bench.
  func attach(to bench: TestBench, isTerminal: Bool = true) {
    bench.change { [self] in
      $0.isInteractive = isTerminal
      $0.environment["NO_COLOR"] = "1"
      $0.screen = screen
      $0.onOutput = { [self] text in
        state.withLock { if $0.isEntered { $0.window.feed(text) } }
        print.yield(text)
      }
    }
  }

  /// The operations on the terminal, in order.
  var log: [String] { state.withLock(\.log) }
  /// The lines of the window, without blanks at their ends.
  var window: String { state.withLock(\.window.lines).joined(separator: "\n") }

  func send(_ event: TerminalEvent) {
    state.withLock(\.report)?(event)
  }

  /// Types a text.
  func type(_ text: String) { send(.typed(Array(text.utf8))) }

  func resize(to size: WindowSize) {
    state.withLock {
      $0.size = size
      $0.window = SimulatedTerminal(size)
    }
    send(.resized)
  }

  /// Waits until a text is printed, and returns the write that contains it.
  @discardableResult
  func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) async -> String {
    let writes = Subscription(output)
    while let written = try? await writes.next(sourceLocation: sourceLocation) {
      if written.contains(text) { return written }
    }
    return ""
  }

  /// Waits until the window contains a text, and returns its lines.
  @discardableResult
  func waitForWindow(with text: String, sourceLocation: SourceLocation = #_sourceLocation) async -> String {
    await waitForWindow(sourceLocation: sourceLocation) { $0.contains(text) }
  }

  /// Waits until the window satisfies a condition, and returns its lines.
  @discardableResult
  func waitForWindow(
    sourceLocation: SourceLocation = #_sourceLocation, _ isExpected: (String) -> Bool
  ) async -> String {
    let writes = Subscription(output)
    while true {
      let window = window
      if isExpected(window) { return window }
      guard (try? await writes.next(sourceLocation: sourceLocation)) != nil else { return window }
    }
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
      enter: { [self] in
        record("enter")
        state.withLock { ($0.isEntered, $0.window) = (true, SimulatedTerminal($0.window.size)) }
      },
      leave: { [self] in
        record("leave")
        state.withLock { ($0.isEntered, $0.window) = (false, SimulatedTerminal($0.window.size)) }
      },
      suspend: { [self] in record("suspend") })
  }

  private func record(_ text: String) {
    state.withLock { $0.log.append(text) }
  }
}
