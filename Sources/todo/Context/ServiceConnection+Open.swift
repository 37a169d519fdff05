import ToDoModel
import ToDoStores

extension ServiceConnection {
  /// The composition root: makes the service that was selected.
  static func open(_ selection: ServiceSelection) async throws -> ServiceConnection {
    switch selection {
    case .embedded(let path): try openEmbedded(path)
    case .server(let endpoint): try await openServer(endpoint)
    }
  }

  private static func openEmbedded(_ path: String) throws -> ServiceConnection {
    throw ToDoError.storeUnavailable(detail: "there is no store on disk yet for \(path)")
  }

  private static func openServer(_ endpoint: String) async throws -> ServiceConnection {
    throw ToDoError.storeUnavailable(detail: "there is no client yet for \(endpoint)")
  }
}
