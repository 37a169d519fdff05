public import ToDoModel

/// A service for tests: every operation that a conforming type does not implement throws `failure`.
///
///     struct FullList: ToDoServiceStub {
///       func addItem(_ item: NewItem, options: SaveOptions) async throws -> ToDoItem {
///         throw ToDoError.listFull(limit: 1)
///       }
///     }
public protocol ToDoServiceStub: ToDoService {
  /// The error that operations without an implementation throw. By default an `UnimplementedOperation`.
  var failure: any Error { get }
}

/// A test has called an operation that its stub does not implement.
public struct UnimplementedOperation: Error {
  /// Creates the error.
  public init() {}
}

extension ToDoServiceStub {
  /// An `UnimplementedOperation`.
  public var failure: any Error { UnimplementedOperation() }

  public func addItem(_ item: NewItem, options: SaveOptions) async throws -> ToDoItem { throw failure }

  public func addItems(_ items: [NewItem], options: SaveOptions) async throws -> [ToDoItem] { throw failure }

  public func item(_ id: ItemID) async throws -> ToDoItem { throw failure }

  public func items(_ query: ItemQuery) async throws -> ItemPage { throw failure }

  public func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
  ) async throws -> ToDoItem { throw failure }

  public func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem { throw failure }

  public func uncheckItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    throw failure
  }

  public func deleteItem(
    _ id: ItemID, ifRevision: Revision?, permanentlyIfFull: Bool
  ) async throws -> DeletionResult { throw failure }

  public func deleteItems(_ selection: BulkDeletion, permanentlyIfFull: Bool) async throws -> BulkDeletionResult {
    throw failure
  }

  public func renameTag(_ renaming: TagRenaming) async throws -> TagRenamingResult { throw failure }

  public func undeleteItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    throw failure
  }

  public func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage { throw failure }

  public func geocode(_ query: GeocodeQuery) async throws -> GeocodeResult { throw failure }

  public func changes(_ query: ChangeQuery) async throws -> ChangePage { throw failure }

  public func watch(from start: WatchStart, state: ItemState, filter: ItemFilter) -> WatchEvents {
    let failure = failure
    return WatchEvents { { throw failure } }
  }

  public func history(_ query: HistoryQuery) async throws -> HistoryPage { throw failure }

  public func revertRevision(_ revision: Revision) async throws -> Reversal { throw failure }

  public func info() async throws -> ServiceInfo { throw failure }
}
