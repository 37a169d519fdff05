import Synchronization
public import ToDoModel

/// A service whose watches emit the events of a script. All other operations throw.
public final class ScriptedWatch: ToDoService {
  /// A step of a watch.
  public enum Step: Sendable {
    case emit(WatchEvent)
    case fail(any Error)
    case end
  }

  private struct State {
    var starts: [WatchStart] = []
    var states: [ItemState] = []
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
  /// The filters of all watches.
  public var states: [ItemState] { state.withLock(\.states) }

  public func watch(from start: WatchStart, state itemState: ItemState) -> WatchEvents {
    WatchEvents { [self] in
      let steps = state.withLock { state in
        state.starts.append(start)
        state.states.append(itemState)
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

  public func changes(_ query: ChangeQuery) async throws -> ChangePage { throw Unscripted() }
  public func addItem(
    _ item: NewItem, options: SaveOptions
  ) async throws -> ToDoItem { throw Unscripted() }
  public func addItems(
    _ items: [NewItem], options: SaveOptions
  ) async throws -> [ToDoItem] { throw Unscripted() }
  public func item(_ id: ItemID) async throws -> ToDoItem { throw Unscripted() }
  public func items(_ query: ItemQuery) async throws -> ItemPage { throw Unscripted() }
  public func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
  ) async throws -> ToDoItem { throw Unscripted() }
  public func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage { throw Unscripted() }
  public func geocode(_ query: GeocodeQuery) async throws -> GeocodeResult { throw Unscripted() }
  public func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem { throw Unscripted() }
  public func uncheckItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    throw Unscripted()
  }
  public func deleteItem(
    _ id: ItemID, ifRevision: Revision?, permanentlyIfFull: Bool
  ) async throws -> DeletionResult { throw Unscripted() }
  public func deleteItems(
    _ selection: BulkDeletion, permanentlyIfFull: Bool
  ) async throws -> BulkDeletionResult { throw Unscripted() }
  public func undeleteItem(
    _ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool
  ) async throws -> ToDoItem { throw Unscripted() }
  public func history(_ query: HistoryQuery) async throws -> HistoryPage { throw Unscripted() }
  public func revertRevision(_ revision: Revision) async throws -> Reversal { throw Unscripted() }
  public func info() async throws -> ServiceInfo { throw Unscripted() }
}
