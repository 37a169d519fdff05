import Synchronization
public import ToDoModel
public import ToDoTesting

/// A service whose watches emit the events of a script. All other operations throw.
public final class ScriptedWatch: ToDoServiceStub {
  /// A step of a watch.
  public enum Step: Sendable {
    case emit(WatchEvent)
    case fail(any Error)
    case end
  }

  private struct State {
    var starts: [WatchStart] = []
    var states: [ItemState] = []
    var filters: [ItemFilter] = []
    var watches: [AsyncStream<Step>]
  }

  private let state: Mutex<State>
  private let continuations: [AsyncStream<Step>.Continuation]

  /// - Parameter watches: the maximum number of watches, each with its own steps.
  public init(watches count: Int = 1) {
    let streams = (0..<count).map { _ in AsyncStream.makeStream(of: Step.self) }
    state = Mutex(State(watches: streams.map(\.stream)))
    continuations = streams.map(\.continuation)
  }

  /// Appends steps to the script of a watch; the first watch is 0.
  public func script(_ steps: Step..., watch: Int = 0) {
    for step in steps { continuations[watch].yield(step) }
  }

  /// Appends events to the script of a watch.
  public func emit(_ events: WatchEvent..., watch: Int = 0) {
    for event in events { continuations[watch].yield(.emit(event)) }
  }

  /// The start positions of all watches.
  public var starts: [WatchStart] { state.withLock(\.starts) }
  /// The states of all watches.
  public var states: [ItemState] { state.withLock(\.states) }
  /// The filters of all watches.
  public var filters: [ItemFilter] { state.withLock(\.filters) }

  public func watch(from start: WatchStart, state itemState: ItemState, filter: ItemFilter) -> WatchEvents {
    WatchEvents { [self] in
      let steps = state.withLock { state in
        state.starts.append(start)
        state.states.append(itemState)
        state.filters.append(filter)
        return state.watches.isEmpty ? nil : state.watches.removeFirst()
      }
      var iterator = steps?.makeAsyncIterator()
      return {
        switch await iterator?.next() {
        case .emit(let event): return event
        case .fail(let error): throw error
        case .end: return nil
        case nil:
          try Task.checkCancellation()
          return nil
        }
      }
    }
  }

  private struct Unscripted: Error {}

  public var failure: any Error { Unscripted() }
}
