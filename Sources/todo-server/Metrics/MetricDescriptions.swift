#if HTTP
import ToDoPrometheus

extension PrometheusRegistry {
  /// Creates the registry of a server's metrics. The operator's guide lists them.
  static func ofServer() -> PrometheusRegistry {
    let writes: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    let lookups = [0.0001, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30]
    return PrometheusRegistry([
      "rpc_server_calls": Description("Calls that have ended, by method and code"),
      "rpc_server_call_duration": Description("Time from the request to the end of the call, by method"),
      "rpc_server_calls_in_flight": Description("Calls that have suspended and not ended, by method"),
      "rpc_server_connections_open": Description("Open connections, by protocol"),
      "rpc_server_connections_accepted": Description("New connections within the limits of number, by protocol"),
      "rpc_server_connections_rejected": Description("New connections beyond the limits of number, by protocol"),
      "rpc_server_connections_evicted": Description("Connections that a limit closed, by limit"),
      "todo_watches_running": Description("Watches that have access to a list and have not ended"),
      "todo_commit_duration": Description("Time from the start of a group of writes until it is on disk, by result"),
      "todo_commit_writes": Description("Writes of a group, by result", bounds: writes),
      "todo_commit_undeclared_reads": Description("Reads of groups that needed a round trip of their own"),
      "todo_cache_lookups": Description("Lookups in caches, by cache and result"),
      "todo_notifications": Description("Attempts to send a reminder to a target, by result"),
      "todo_geocoder_lookups": Description("Lookups that reached a geocoder, by geocoder and outcome"),
      "todo_geocoder_lookup_duration": Description("Time of a lookup in a geocoder, by geocoder", bounds: lookups),
    ])
  }
}
#endif
