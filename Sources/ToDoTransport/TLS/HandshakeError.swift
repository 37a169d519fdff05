#if TLS
import NIOSSL
package import ToDoRPC

/// The reason why a client's TLS handshake failed.
package enum HandshakeError: Error, Equatable {
  /// The server closed the connection without a reason.
  case closed
  /// The server does not speak TLS.
  case notTLS
  /// The server ended the handshake with an alert.
  case rejected
  /// The server's certificate is not valid yet.
  case certificateNotYetValid
  /// The server's certificate is no longer valid.
  case certificateExpired
  /// The server's certificate does not chain to a trusted CA.
  case certificateNotTrusted
  /// The server's certificate is valid for other hosts only.
  case otherHost
  /// Any other reason.
  case failed
}

extension HandshakeError {
  /// Returns the reason for an error of the TLS library, or `nil` if the error is another one.
  ///
  /// The library's errors contain BoringSSL's codes only as text. This initializer therefore derives the reason from the
  /// records and the certificate that the server has sent. If the server has sent a certificate and no alert, the client
  /// has rejected this certificate, or the signature that proves that the server owns it.
  ///
  /// - Parameters:
  ///   - certificate: the server's certificate; `nil` if the server has sent none.
  ///   - records: the records that the server has sent.
  ///   - now: the time, in seconds since 1970.
  init?(_ error: any Error, _ certificate: NIOSSLCertificate?, _ records: ServerRecords, now: Int) {
    switch error {
    case NIOSSLError.handshakeFailed where !records.areTLS: self = .notTLS
    case NIOSSLError.handshakeFailed where records.haveAlert: self = .rejected
    case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])): self = .closed
    case NIOSSLError.handshakeFailed(.sslError): self = certificate.map { Self(rejecting: $0, now: now) } ?? .failed
    case let error as NIOSSLExtraError: self = error == .failedToValidateHostname ? .otherHost : .failed
    case is NIOSSLError, is BoringSSLError: self = .failed
    default: return nil
    }
  }

  private init(rejecting certificate: NIOSSLCertificate, now: Int) {
    self =
      if now < certificate.notValidBefore {
        .certificateNotYetValid
      } else if now > certificate.notValidAfter {
        .certificateExpired
      } else {
        .certificateNotTrusted
      }
  }

  /// The reason, which follows the name of the server in an error message.
  fileprivate var reason: String {
    switch self {
    case .closed: "it closed the connection during the TLS handshake; it may not speak TLS"
    case .notTLS: "it does not speak TLS"
    case .rejected: "it rejected the TLS handshake"
    case .certificateNotYetValid: "its certificate is not valid yet"
    case .certificateExpired: "its certificate has expired"
    case .certificateNotTrusted: "its certificate does not chain to a trusted CA that is valid now"
    case .otherHost: "its certificate is for another host"
    case .failed: "the TLS handshake failed"
    }
  }
}

extension RPCError {
  /// Creates the error of a call to a server with which the TLS handshake failed.
  package init(_ error: HandshakeError, at endpoint: Endpoint) {
    switch error {
    case .closed:
      // A server that restarts closes connections. A later attempt can succeed.
      self = .unavailable("\(endpoint) cannot be reached: \(error.reason)", isUnsent: true)
    default:
      self.init(.unauthenticated, reason: "SERVER_NOT_TRUSTED", "\(endpoint) is not trusted: \(error.reason)")
      isUnsent = true
    }
  }
}
#endif
