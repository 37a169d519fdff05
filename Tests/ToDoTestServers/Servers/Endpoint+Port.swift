package import ToDoTransport

extension Endpoint {
  /// The port, unless the endpoint is a Unix socket.
  package var port: Int? {
    switch self {
    case .tcp(_, let port), .tls(_, let port): port
    case .unix: nil
    }
  }
}
