#if HTTP
package import NIOCore
package import ToDoRPC

/// Answers the requests to one path that is not a service method: a health check, a phone's position.
///
/// The listener checks the request's framing, origin, method and size first. The endpoint authenticates the caller.
package protocol HTTPEndpoint: Sendable {
  /// The exact path, without a query.
  var path: String { get }
  /// The HTTP methods it serves, in upper case. Others are answered with 405.
  var methods: Set<String> { get }
  /// The maximum size of a request's body, in bytes. Larger ones are answered with 413 before they are read.
  var maximumBodySize: Int { get }
  /// Whether pages of other sites may link to it, because it does nothing and returns the same to everyone.
  var isPublic: Bool { get }
  /// Returns the response. Canceled when the client disconnects, or at the default deadline of a call.
  func respond(to request: HTTPEndpointRequest) async -> HTTPEndpointResponse
}

extension HTTPEndpoint {
  /// Requests of other sites' pages are refused.
  package var isPublic: Bool { false }
}

/// A request that an endpoint answers.
package struct HTTPEndpointRequest: Sendable {
  /// The HTTP method, in upper case.
  package let method: String
  /// The query as it was sent, without its "?"; empty if there is none.
  package let query: String
  /// The body.
  package let body: ByteBuffer
  /// The media type of the body as it was sent; empty if there is not exactly one.
  package var contentType = ""
  /// The browser's statements about the request. An endpoint that takes the session as credentials checks the sender.
  package var browser = BrowserRequest()
  /// Whether the client can read a response that is compressed with gzip.
  package let acceptsGzip: Bool
  /// The caller: the request's headers, `authorization` among them, and the connection with its peer.
  package let call: CallContext

  /// Creates a request.
  package init(
    method: String, query: String = "", body: ByteBuffer = ByteBuffer(), acceptsGzip: Bool = false, call: CallContext
  ) {
    self.method = method
    self.query = query
    self.body = body
    self.acceptsGzip = acceptsGzip
    self.call = call
  }
}

/// The response of an endpoint.
package struct HTTPEndpointResponse: Equatable, Sendable {
  /// The HTTP status.
  package var status: Int
  /// The media type of the body; `nil` if the response has none.
  package var contentType: String?
  /// Further headers, by their names in lower case. They replace those that every response has.
  package var headers: [String: String] = [:]
  /// The body.
  package var body: ByteBuffer

  /// Creates a response.
  package init(status: Int, contentType: String? = "text/plain; charset=utf-8", body: ByteBuffer = ByteBuffer()) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  /// Creates the response of a failed request: a status and the JSON, as a call has them.
  package init(_ error: RPCError) {
    let response = HTTPResponse(error)
    self.init(status: response.status, contentType: response.contentType, body: response.body)
    headers = Dictionary(response.headers) { first, _ in first }
  }
}
#endif
