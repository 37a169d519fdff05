import ToDoTransport

extension Endpoint {
  var port: Int? {
    switch self {
    case .tcp(_, let port), .tls(_, let port): port
    case .unix: nil
    }
  }
}
