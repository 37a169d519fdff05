#if Nominatim
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import ToDoRules

extension GeocoderError {
  /// Maps an error of a connection.
  init(mapping error: any Error) {
    switch error {
    case let error as GeocoderError: self = error
    case ChannelError.connectTimeout: self = .timedOut
    case HTTPParserError.invalidEOFState: self = Self.closedEarly
    case is HTTPParserError: self = .malformedResponse(detail: "the response is not HTTP")
    case let error as IOError: self = .unavailable(detail: error.reason)
    case let error as NIOConnectionError: self = .unavailable(detail: error.reason)
    case NIOSSLError.handshakeFailed:
      self = .unavailable(detail: "the TLS handshake failed; the certificate may not be trusted")
    case is NIOSSLExtraError: self = .unavailable(detail: "the server's certificate is for another host")
    default: self = .unavailable(detail: "\(error)")
    }
  }

  static let closedEarly = GeocoderError.unavailable(
    detail: "the server closed the connection before the end of the response")

  static let overlong = GeocoderError.malformedResponse(detail: "the response is too long")
}

extension NIOConnectionError {
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
