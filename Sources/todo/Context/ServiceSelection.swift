import ToDoGeocoders
import ToDoModel
import ToDoStores

/// The service that commands operate on.
enum ServiceSelection: Equatable, Sendable {
  /// A server at an endpoint.
  case server(endpoint: String, ServerCredentials = ServerCredentials())
  /// The service in this process, over a database file.
  case embedded(path: String, geocoder: GeocoderSelection)

  /// Selects the service: the server of the option or of `TODO_SERVER`, or else the database in the user's data directory.
  ///
  /// The geocoder of an embedded service comes from its option, or else from `TODO_GEOCODER`, or else is the gazetteer.
  ///
  /// - Throws: `Failure` if the data directory cannot be located or the geocoder is unknown.
  init(server option: String?, geocoder: String?, environment: (String) -> String?) throws {
    if let endpoint = option ?? environment("TODO_SERVER") {
      guard geocoder == nil else {
        throw Failure.usage("'--geocoder' does not apply to a server, which has its own geocoder; omit the option")
      }
      self = .server(endpoint: endpoint)
    } else if let path = SQLiteToDoItemStore.defaultPath(environment: environment) {
      do throws(GeocoderSelectionError) {
        let selection = try GeocoderSelection(geocoder ?? environment("TODO_GEOCODER") ?? "gazetteer")
        self = .embedded(path: path, geocoder: selection)
      } catch {
        throw Failure.usage(error.description.escapingControls(), reason: "INVALID_GEOCODER")
      }
    } else {
      throw Failure.usage("cannot locate the data directory: set HOME or XDG_DATA_HOME, or use '--server'")
    }
  }
}
