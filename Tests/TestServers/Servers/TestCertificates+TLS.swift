package import TestCertificates
package import Transport

extension Endpoint {
  /// The port, unless the endpoint is a Unix socket.
  package var port: Int? {
    switch self {
    case .tcp(_, let port), .tls(_, let port): port
    case .unix: nil
    }
  }
}

extension ServerTLS.Files {
  package init(_ files: TestCertificates.Files) {
    self.init(certificate: files.certificate, key: files.key)
  }
}

extension ClientTLS.Identity {
  package init(_ files: TestCertificates.Files) {
    self.init(certificate: files.certificate, key: files.key)
  }
}
