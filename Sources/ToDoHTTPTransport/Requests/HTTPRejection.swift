#if HTTP
import ToDoRPC

/// The answer to a request that reaches no method and no endpoint.
package struct HTTPRejection: Error, Equatable {
  /// The HTTP status.
  package let status: Int
  /// The reason and the remedy.
  package let message: String
  /// Headers that belong to the status.
  package var headers: [String: String] = [:]

  private init(_ status: Int, _ message: String, headers: [String: String] = [:]) {
    self.status = status
    self.message = message
    self.headers = headers
  }

  // MARK: Framing, after which the connection is closed

  /// The head is larger than any client sends.
  package static let headTooLarge = HTTPRejection(431, "the request has too many headers, or its headers are too large")
  /// The head is one that parsers disagree about.
  package static let malformedHead = HTTPRejection(400, "the request's head is malformed")
  /// The decoder has rejected the request.
  package static let malformedRequest = HTTPRejection(400, "the request is malformed")
  /// The length of the body is stated twice, or in a way that parsers disagree about.
  package static let ambiguousLength = HTTPRejection(400, "the length of the request's body is ambiguous")
  /// The body is larger than its path permits.
  package static let bodyTooLarge = HTTPRejection(413, "the request's body is too large")
  /// The request did not arrive in time.
  package static let requestTooSlow = HTTPRejection(408, "the request did not arrive in time")
  /// The client expects something else than 100-continue.
  package static let unknownExpectation = HTTPRejection(417, "the only expectation that is served is 100-continue")

  /// There is more than one Authorization, and a proxy may have checked another one than the server would.
  package static let ambiguousCredentials = HTTPRejection(400, "the request has more than one authorization header")

  // MARK: Targets

  /// The target is neither a path nor a URL with a path.
  package static let malformedTarget = HTTPRejection(400, "the request's target is not a path")
  /// Returns the rejection of a call by GET.
  package static func malformedQuery(_ reason: String) -> HTTPRejection { HTTPRejection(400, reason) }
  /// There is not exactly one Host.
  package static let malformedHost = HTTPRejection(400, "the request has no valid Host header")
  /// Nothing is served at the path.
  package static let notFound = HTTPRejection(404, "nothing is served at this path; use /SERVICE/METHOD")

  /// Returns the rejection of a method that a path does not serve.
  package static func notAllowed(_ methods: Set<String>) -> HTTPRejection {
    let allowed = methods.sorted().joined(separator: ", ")
    return HTTPRejection(405, "the path serves \(allowed) only", headers: ["allow": allowed])
  }

  /// Returns the rejection of a body whose type a method does not take.
  package static func unsupportedType(_ types: [String]) -> HTTPRejection {
    let types = types.joined(separator: ", ")
    return HTTPRejection(415, "the content type is not one of \(types)", headers: ["accept-post": types])
  }

  /// Returns the rejection of text in an encoding other than UTF-8.
  package static func unsupportedCharset(_ charset: String) -> HTTPRejection {
    HTTPRejection(415, "the charset \(charset.prefix(40)) is not served; send UTF-8")
  }

  // MARK: Browsers

  /// A page of another site has sent the request.
  package static let foreignOrigin = HTTPRejection(
    403, "pages of this origin may not call the server; its operator permits some with '--http-origin'")
  /// The Host is a name that an attacker's name server may have given to this machine.
  package static let foreignHost = HTTPRejection(
    403, "without credentials, this server is called by its address, or by a host of '--http-origin'")
}

extension HTTPRejection {
  /// The code of the error in the Connect protocol.
  var code: StatusCode {
    switch status {
    case 400: .invalidArgument
    case 403: .permissionDenied
    case 404: .unimplemented
    case 408: .deadlineExceeded
    case 413: .resourceExhausted
    default: .unknown
    }
  }
}
#endif
