#if HTTP
package import NIOCore
package import ToDoRPC

/// Answers the requests of one path that is no method of a service: a health check, a phone's position.
///
/// The listener checks the request's framing, origin, method and size first. The endpoint authenticates the caller.
package protocol HTTPEndpoint: Sendable {
  /// The exact path, without a query.
  var path: String { get }
  /// The HTTP methods it serves, in upper case. Others are answered with 405.
  var methods: Set<String> { get }
  /// The maximum size of a request's body, in bytes. Larger ones are answered with 413 before they are read.
  var maximumBodySize: Int { get }
  /// Returns the response. Cancelled when the client disconnects, or at the default deadline of a call.
  func respond(to request: HTTPEndpointRequest) async -> HTTPEndpointResponse
}

/// A request that an endpoint answers.
package struct HTTPEndpointRequest: Sendable {
  /// The HTTP method, in upper case.
  package let method: String
  /// The query as it was sent, without its "?"; empty if there is none.
  package let query: String
  /// The body.
  package let body: ByteBuffer
  /// The caller: the request's headers, `authorization` among them, and the connection with its peer.
  package let call: CallContext

  /// Creates a request.
  package init(method: String, query: String = "", body: ByteBuffer = ByteBuffer(), call: CallContext) {
    self.method = method
    self.query = query
    self.body = body
    self.call = call
  }
}

/// The response of an endpoint.
package struct HTTPEndpointResponse: Equatable, Sendable {
  /// The HTTP status.
  package var status: Int
  /// The media type of the body.
  package var contentType: String
  /// The body.
  package var body: ByteBuffer

  /// Creates a response.
  package init(status: Int, contentType: String = "text/plain; charset=utf-8", body: ByteBuffer = ByteBuffer()) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }
}
#endif
