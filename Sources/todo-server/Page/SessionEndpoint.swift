#if HTTP
import FoundationEssentials
import NIOCore
import ToDoHTTPTransport
import ToDoRPC
import ToDoServer

/// The session of a browser: signs in with a token or a link, says who is signed in, and signs out.
///
/// The session is a cookie that contains a token, which no script can read: the one that the user has entered, or one that a link has
/// made, which ends with the session. A revoked token ends its sessions at once.
struct SessionEndpoint: HTTPEndpoint {
  let identity: CallerIdentity
  let exchange: SignInExchange
  /// Whether browsers connect by TLS.
  let isSecure: Bool

  let path = "/session"
  let methods: Set<String> = ["GET", "POST", "DELETE"]
  let maximumBodySize = 4096

  /// The longest time that browsers keep a cookie, in seconds: 400 days. A token can expire earlier.
  private static let age = 34_560_000

  func respond(to request: HTTPEndpointRequest) async -> HTTPEndpointResponse {
    do {
      switch request.method {
      case "GET": return try await session(request)
      case "POST": return try await signIn(request)
      default: return try await signOut(request)
      }
    } catch {
      return HTTPEndpointResponse(RPCError(mapping: error))
    }
  }

  /// Returns the user who is signed in. A page of another origin cannot read the response.
  private func session(_ request: HTTPEndpointRequest) async throws -> HTTPEndpointResponse {
    var call = request.call
    if call.metadata[CallContext.authorizationKey] == nil, request.browser.sender != .other,
      let token = request.browser.session
    {
      call = call.presenting("Bearer \(token)")
    }
    let user = try await identity.user(of: call)
    let body = try JSONEncoder().encode(Session(user: user.isEmpty ? nil : user))
    return HTTPEndpointResponse(status: 200, contentType: "application/json", body: ByteBuffer(bytes: body))
  }

  private func signIn(_ request: HTTPEndpointRequest) async throws -> HTTPEndpointResponse {
    try checkSender(request)
    // A form cannot have this type, whatever page it is in.
    guard request.contentType.prefix(while: { $0 != ";" && $0 != " " }).lowercased() == "application/json" else {
      throw RPCError.malformed("the content type is not application/json")
    }
    guard let body = try? JSONDecoder().decode(SignIn.self, from: Data(request.body.readableBytesView)),
      body.token != nil || body.link != nil
    else {
      throw RPCError.malformed("the body is not a JSON object with a token or a link")
    }
    if let link = body.link {
      let session = try await exchange.session(for: link, for: request.call)
      return response(session.token.description, age: session.age, request)
    }
    // No other text reaches the cookie.
    let token = body.token.flatMap(BearerToken.init)?.description ?? ""
    _ = try await identity.user(of: request.call.presenting("Bearer \(token)"))
    return response(token, age: Self.age, request)
  }

  private func signOut(_ request: HTTPEndpointRequest) async throws -> HTTPEndpointResponse {
    try checkSender(request)
    if let token = request.browser.session { try await exchange.end(for: request.call.presenting("Bearer \(token)")) }
    return response("", age: 0, request)
  }

  /// - Throws: `RPCError` if anything but the server's own page has sent the request, even a page that may call methods. Every
  ///   browser says who sends such a request.
  private func checkSender(_ request: HTTPEndpointRequest) throws {
    guard request.browser.sender == .ownPage else {
      throw RPCError(.permissionDenied, reason: "HTTP_403", "only this server's own page signs in and out")
    }
  }

  private func response(_ token: String, age: Int, _ request: HTTPEndpointRequest) -> HTTPEndpointResponse {
    let isSecure = isSecure || request.browser.isSecure
    var response = HTTPEndpointResponse(status: 204, contentType: nil)
    let name = BrowserRequest.sessionCookie(isSecure: isSecure)
    response.headers["set-cookie"] =
      "\(name)=\(token); Max-Age=\(age); Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    return response
  }
}

/// The body of a request to sign in.
private struct SignIn: Decodable {
  var token: String?
  /// The token of a link.
  var link: String?
}

/// The user who is signed in; `nil` if none is.
private struct Session: Encodable {
  let user: String?
}
#endif
