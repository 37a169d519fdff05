#if HTTP
import NIOCore
import NIOHTTP1
import ToDoRPC

/// A response, except for the headers that every response has.
struct HTTPResponse {
  var status: Int
  var contentType: String?
  var headers: [(String, String)] = []
  var body = ByteBuffer()

  /// Whether the response states the length of its body.
  var hasLength: Bool { status != 204 && status != 304 }

  /// The response to a request that reaches no method and no endpoint. Its body is a Connect error.
  init(_ rejection: HTTPRejection) {
    self.init(RPCError(rejection.code, reason: "HTTP_\(rejection.status)", domain: "http", rejection.message))
    status = rejection.status
    headers = rejection.headers.map { ($0.key, $0.value) }
  }

  /// The response of a failed unary call.
  init(_ error: RPCError) {
    self.init(status: error.code.httpStatus, contentType: "application/json")
    if status == 401 { headers.append(("www-authenticate", "Bearer")) }
    if error.reason == RPCError.unsupportedContentEncoding.reason {
      headers.append(("accept-encoding", "gzip, identity"))
    }
    body.writeJSON(error)
  }

  init(status: Int, contentType: String? = nil, body: ByteBuffer = ByteBuffer()) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  /// The response to a browser that asks whether a page of a permitted origin may send a request.
  static var preflight: HTTPResponse {
    var response = HTTPResponse(status: 204)
    response.headers = [
      ("access-control-allow-methods", "GET, POST"),
      (
        "access-control-allow-headers",
        "authorization, content-type, connect-protocol-version, connect-timeout-ms, grpc-accept-encoding, grpc-encoding, "
          + "grpc-timeout, x-grpc-web, x-user-agent"
      ),
      // The longest time that browsers accept.
      ("access-control-max-age", "7200"),
    ]
    return response
  }

  /// Returns all headers.
  ///
  /// - Parameters:
  ///   - origin: the origin whose pages may read the response, if a browser asks for it.
  ///   - date: the current time, as HTTP writes it.
  func allHeaders(for origin: String?, date: String) -> HTTPHeaders {
    var all = HTTPHeaders(headers)
    all.add(name: "date", value: date)
    if let contentType { all.add(name: "content-type", value: contentType) }
    for (name, value) in Self.safetyHeaders where !all.contains(name: name) { all.add(name: name, value: value) }
    guard let origin else { return all }
    all.add(name: "access-control-allow-origin", value: origin)
    all.add(name: "vary", value: "Origin")
    // Where an error of gRPC-Web is.
    all.add(name: "access-control-expose-headers", value: "grpc-message, grpc-status, grpc-status-details-bin")
    return all
  }

  /// Unless its endpoint says otherwise, no response is a page, is to be guessed as one, embedded in one, or kept.
  private static let safetyHeaders = [
    ("cache-control", "no-store"), ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ("cross-origin-resource-policy", "same-origin"), ("x-content-type-options", "nosniff"),
  ]
}
#endif
