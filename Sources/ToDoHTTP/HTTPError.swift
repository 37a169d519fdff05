#if Nominatim
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A request's failure. Of the URL it contains only the host name, because a path can be a secret.
package enum HTTPError: Error, Equatable, Sendable {
  /// The URL is not an absolute URL with the scheme `http` or `https`.
  case invalidURL
  /// The caller does not permit the port, or any address of the host.
  case refusedDestination
  /// The client has been shut down.
  case shutDown
  /// The server did not respond in time.
  case timedOut
  /// The connection failed or broke.
  case unavailable(detail: String)
  /// The response is not HTTP, or too long.
  case malformedResponse(detail: String)

  /// Maps an error of a connection.
  package init(mapping error: any Error) {
    switch error {
    case let error as HTTPError: self = error
    case ChannelError.connectTimeout: self = .timedOut
    case HTTPParserError.invalidEOFState: self = Self.closedEarly
    case is HTTPParserError: self = .malformedResponse(detail: "the response is not HTTP")
    case let error as IOError: self = .unavailable(detail: error.reason)
    case let error as NIOConnectionError:
      self = error.isRefusal ? .refusedDestination : .unavailable(detail: error.reason)
    case NIOSSLError.handshakeFailed:
      self = .unavailable(detail: "the TLS handshake failed; the certificate may not be trusted")
    case is NIOSSLExtraError: self = .unavailable(detail: "the server's certificate is for another host")
    default: self = .unavailable(detail: "\(error)")
    }
  }

  static let closedEarly = HTTPError.unavailable(
    detail: "the server closed the connection before the end of the response")

  static let overlong = HTTPError.malformedResponse(detail: "the response is too long")
}

extension HTTPError: CustomStringConvertible {
  /// A message without the URL.
  package var description: String {
    switch self {
    case .invalidURL: "the URL is invalid"
    case .refusedDestination: "the address is not public, or the port is not permitted"
    case .shutDown: "the client has been shut down"
    case .timedOut: "the server did not respond in time"
    case .unavailable(let detail), .malformedResponse(let detail): detail
    }
  }
}

extension NIOConnectionError {
  fileprivate var isRefusal: Bool {
    connectionErrors.isEmpty && [dnsAError, dnsAAAAError].contains { $0 as? HTTPError == .refusedDestination }
  }

  fileprivate var reason: String {
    guard let error = connectionErrors.first?.error else { return "the host name \(host) cannot be resolved" }
    return (error as? IOError)?.reason ?? "\(error)"
  }
}

extension IOError {
  /// The message of the operating system, for example "Connection refused".
  fileprivate var reason: String { String(cString: strerror(errnoCode)) }
}
#endif
