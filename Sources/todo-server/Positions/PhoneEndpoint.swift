#if HTTP
import FoundationEssentials
import NIOCore
import ToDoHTTPTransport
import ToDoModel
import ToDoRPC
import ToDoServer

/// Takes the positions of a phone over HTTP: those of OwnTracks, and those of Traccar Client.
///
/// No position and no token is in a URL, because proxies log these.
struct PhoneEndpoint: HTTPEndpoint {
  /// A program on the phone.
  enum Program: String, CaseIterable {
    case ownTracks = "/owntracks"
    case traccar = "/traccar"
  }

  let program: Program
  let reports: PhoneReports

  var path: String { program.rawValue }
  var methods: Set<String> { ["POST"] }
  var maximumBodySize: Int { 65_536 }

  func respond(to request: HTTPEndpointRequest) async -> HTTPEndpointResponse {
    do {
      let user = try await user(of: request.call)
      let body = Array(request.body.readableBytesView)
      let message = try program == .ownTracks ? PhoneMessage(ownTracks: body) : PhoneMessage(traccar: body)
      guard case .position(let position, let token) = message else { return success }
      if let user {
        try await reports.report(position, of: user)
      } else {
        let call = token.map { request.call.presenting("Bearer \($0)") } ?? request.call
        try await reports.report(position, of: reports.user(of: call))
      }
      return success
    } catch let error as PhoneMessage.InvalidMessage {
      return .text(400, error.text)
    } catch let error as RPCError {
      return .text(error.httpStatus, error.message)
    } catch {
      return .text(500, "the server failed")
    }
  }

  /// Returns the user whose credentials are in the header, before the body is read; `nil` if there are none.
  ///
  /// - Throws: `RPCError`.
  private func user(of call: CallContext) async throws -> PhoneReports.User? {
    guard call.metadata[CallContext.authorizationKey] != nil else { return nil }
    return try await reports.user(of: call.presentingPassword)
  }

  /// OwnTracks expects an array of messages.
  private var success: HTTPEndpointResponse {
    program == .ownTracks
      ? HTTPEndpointResponse(status: 200, contentType: "application/json", body: ByteBuffer(string: "[]"))
      : HTTPEndpointResponse(status: 200)
  }
}

extension PhoneEndpoint.Program {
  /// Returns the endpoints of all programs.
  static func endpoints(_ reports: PhoneReports) -> [any HTTPEndpoint] {
    allCases.map { PhoneEndpoint(program: $0, reports: reports) }
  }
}

extension HTTPEndpointResponse {
  fileprivate static func text(_ status: Int, _ text: String) -> HTTPEndpointResponse {
    HTTPEndpointResponse(status: status, body: ByteBuffer(string: text + "\n"))
  }
}

extension CallContext {
  /// The call with the token that is its password in HTTP Basic authentication, or the same call if there is none.
  fileprivate var presentingPassword: CallContext {
    guard let authorization = metadata[Self.authorizationKey] else { return self }
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic", let decoded = Data(base64Encoded: String(parts[1])) else {
      return self
    }
    let password = String(decoding: decoded, as: UTF8.self).split(separator: ":", maxSplits: 1).last ?? ""
    return presenting("Bearer \(password)")
  }
}

extension RPCError {
  fileprivate var httpStatus: Int {
    switch code {
    case .invalidArgument: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .failedPrecondition: 409
    case .resourceExhausted: 429
    case .unavailable: 503
    default: 500
    }
  }
}
#endif
