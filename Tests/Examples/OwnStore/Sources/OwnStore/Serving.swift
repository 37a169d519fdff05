public import ToDoServer

/// Serves the list of a store until the task is canceled.
///
/// - Parameter onReady: called once the server accepts connections.
public func serve(
  _ store: some ToDoItemStore, _ geocoder: some Geocoder, at endpoint: Endpoint,
  onReady: @escaping @Sendable ([Endpoint]) -> Void
) async throws {
  let service = LocalToDoService(store: store, geocoder: geocoder)
  try await ToDoServer(service: service, configuration: .init(endpoints: [endpoint]), onReady: onReady).run()
}
