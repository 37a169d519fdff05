import ToDoGeocoders
import ToDoStores

/// Which service the commands work on.
enum ServiceSelection: Equatable, Sendable {
  /// A server at an endpoint.
  case server(endpoint: String, ServerAccess = ServerAccess())
  /// The service in this process, over a database file.
  case embedded(path: String, geocoder: GeocoderSelection)

  /// The option, or else `TODO_SERVER`, or else a database in the person's data directory and the geocoder that the
  /// other option or else `TODO_GEOCODER` names.
  ///
  /// - Throws: `Failure` when it is not known where the data directory is, or there is no such geocoder.
  init(server option: String?, geocoder: String?, environment: (String) -> String?) throws {
    if let endpoint = option ?? environment("TODO_SERVER") {
      guard geocoder == nil else {
        throw Failure.usage("'--geocoder' is for the list on this machine: a server has its own")
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
      throw Failure.usage("there is no place for the list: set HOME or XDG_DATA_HOME, or name a --server")
    }
  }
}
