#if HTTP
import NIOHTTP1
import ToDoProtobufJSON
import ToDoRPC
import ToDoTransport

/// Selects the exchange that answers a request, by its path, its method and its content type.
struct HTTPRouter: Sendable {
  /// The state that all calls share.
  let services: CallServices
  /// That of calls over gRPC itself, which has server reflection too.
  let grpcServices: CallServices
  private let origins: OriginPolicy
  /// The time in responses.
  let date: DateHeader
  private let turns = ConversionTurns()
  private let endpoints: [String: any HTTPEndpoint]
  private let messages: MessageJSON.Methods

  init(
    _ services: CallServices, grpc: CallServices? = nil, origins: OriginPolicy = OriginPolicy(),
    endpoints: [any HTTPEndpoint] = [], messages: MessageJSON.Methods = MessageJSON.methods,
    date: DateHeader = DateHeader()
  ) {
    self.services = services
    grpcServices = grpc ?? services
    self.date = date
    self.origins = origins
    self.messages = messages
    self.endpoints = Dictionary(endpoints.map { ($0.path, $0) }) { first, _ in first }
  }

  /// The limits of connections and calls.
  var limits: ServerLimits { services.limits }

  /// Returns the origin that may read the response to a request, as ``OriginPolicy`` does. Anyone may request what is public.
  ///
  /// - Throws: `HTTPRejection`.
  func origin(
    of request: HTTPRequest, _ state: ConnectionCalls, _ account: ConnectionAccount
  ) throws(HTTPRejection) -> String? {
    if endpoints[request.path]?.isPublic == true { return nil }
    // No browser opens Unix sockets, but a proxy opens them for browsers.
    let isUnixUser = state.shared.peer.unixUser != nil && !state.shared.peer.isProxy
    return try origins.check(request, requiresCredentials: account.requiresCredentials || isUnixUser)
  }

  /// Returns the exchange that answers a request.
  ///
  /// - Throws: `HTTPRejection`.
  func exchange(for request: HTTPRequest, on connection: any ExchangeConnection) throws(HTTPRejection) -> any Exchange {
    if let endpoint = endpoints[request.path] {
      guard endpoint.methods.contains(request.method) else { throw .notAllowed(endpoint.methods) }
      let limit = min(endpoint.maximumBodySize, limits.maximumFrameLength)
      if let length = request.body.length, length > limit { throw .bodyTooLarge }
      return EndpointCall(endpoint, request, limits, connection, connection.state)
    }
    guard let method = method(at: request.path) else { throw .notFound }
    if request.method == "GET", method.hasNoSideEffects { return try get(method, request, connection) }
    guard request.method == "POST" else { throw .notAllowed(method.hasNoSideEffects ? ["GET", "POST"] : ["POST"]) }
    let (callProtocol, format) = try method.content(of: request, messages, limits)
    if let length = request.body.length, length > callProtocol.maximumBody(ofMessage: limits.maximumFrameLength) {
      throw .bodyTooLarge
    }
    return HTTPCall(method, callProtocol, format, request, services, turns, connection, connection.state)
  }

  /// Returns the exchange of a call whose message is in the query.
  private func get(
    _ method: ServerMethod, _ request: HTTPRequest, _ connection: any ExchangeConnection
  ) throws(HTTPRejection) -> any Exchange {
    guard request.body == .none else { throw .bodyTooLarge }
    let query: ConnectQuery
    do { query = try ConnectQuery(request.query) } catch { throw .malformedQuery(error.message) }
    guard let format = method.format(query.format, messages, limits) else { throw method.unsupportedType }
    let callProtocol = ConnectUnary(format: query.format)
    let message = EncodedMessage(bytes: query.message, isCompressed: query.isCompressed)
    return HTTPCall(
      method, callProtocol, format, request, query: message, services, turns, connection, connection.state)
  }

  /// Returns the method at `/SERVICE/METHOD`. A method whose clients send several messages needs HTTP/2.
  private func method(at path: String) -> ServerMethod? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty else { return nil }
    guard let method = services[String(parts[1]), String(parts[2])], !method.takesManyMessages else { return nil }
    return method
  }
}
#endif
