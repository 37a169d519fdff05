extension ServerTLS {
  /// The files of certificates and keys.
  public struct Files: Sendable {
    /// A PEM file of the server's certificate, followed by the intermediate certificates up to a CA that clients trust.
    public var certificate: String
    /// A PEM file of its key, which only its owner may be able to read.
    public var key: String
    /// A PEM file of the CA certificates to which clients' certificates must chain. If it is `nil`, the server requests
    /// no client certificates.
    public var clientAuthorities: String?

    /// Creates the set of files.
    public init(certificate: String, key: String, clientAuthorities: String? = nil) {
      self.certificate = certificate
      self.key = key
      self.clientAuthorities = clientAuthorities
    }
  }

  /// The protocol over TLS.
  package enum ApplicationProtocol: Sendable {
    /// ttrpc.
    case ttrpc
    /// HTTP/2, for gRPC.
    case http2
  }
}
