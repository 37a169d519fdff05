/// The TLS configuration of a client: the authorities that it trusts, and its own certificate.
public struct ClientTLS: Hashable, Sendable {
  /// A PEM file of the CA certificates to which the server's certificate must chain; `nil` for those that the system
  /// trusts.
  public var authorities: String?
  /// The client's certificate and key; `nil` if the client has none.
  public var identity: Identity?

  /// A certificate and its key.
  public struct Identity: Hashable, Sendable {
    /// A PEM file of the certificate, followed by the intermediate certificates up to a CA that the server trusts.
    public var certificate: String
    /// A PEM file of the key, which only its owner may be able to read.
    public var key: String

    /// Creates an identity.
    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// Creates a configuration.
  public init(authorities: String? = nil, identity: Identity? = nil) {
    self.authorities = authorities
    self.identity = identity
  }
}
