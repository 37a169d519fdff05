import ToDoModel
import ToDoTestSupport

/// A service that throws, except for the operations that a test implements.
struct FailingService: ToDoServiceStub {
  var error = ToDoError.storeFull
  var listing: (@Sendable (ItemQuery) -> ItemPage)?
  var description: ServiceInfo?
  var nearby: (@Sendable (NearbyQuery) -> NearbyPage)?
  var revisions: (@Sendable (HistoryQuery) -> HistoryPage)?
  var reversal: (@Sendable (Revision) -> Reversal)?
  var adding: (@Sendable (NewItem) async throws -> ToDoItem)?
  var checking: (@Sendable (ItemID) async throws -> ToDoItem)?
  var updating: (@Sendable (ItemID, ItemEdit) async throws -> ToDoItem)?
  var geocoding: (@Sendable (GeocodeQuery) async throws -> GeocodeResult)?

  var failure: any Error { error }

  func addItem(_ item: NewItem, options: SaveOptions) async throws -> ToDoItem {
    guard let adding else { throw error }
    return try await adding(item)
  }
  func items(_ query: ItemQuery) async throws -> ItemPage {
    guard let listing else { throw error }
    return listing(query)
  }
  func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem {
    guard let checking else { throw error }
    return try await checking(id)
  }
  func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
  ) async throws -> ToDoItem {
    guard let updating else { throw error }
    return try await updating(id, edit)
  }
  func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage {
    guard let nearby else { throw error }
    return nearby(query)
  }
  func geocode(_ query: GeocodeQuery) async throws -> GeocodeResult {
    guard let geocoding else { throw error }
    return try await geocoding(query)
  }
  func history(_ query: HistoryQuery) async throws -> HistoryPage {
    guard let revisions else { throw error }
    return revisions(query)
  }
  func revertRevision(_ revision: Revision) async throws -> Reversal {
    guard let reversal else { throw error }
    return reversal(revision)
  }
  func info() async throws -> ServiceInfo {
    guard let description else { throw error }
    return description
  }
}
