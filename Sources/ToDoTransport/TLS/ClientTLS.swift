#if TLS
package import NIOCore
package import NIOSSL
#endif

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

#if TLS
extension ClientTLS {
  /// Reads the files and creates a TLS context.
  ///
  /// - Throws: `TLSFileError`.
  package func context() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = TLSFile.cipherSuites
    configuration.applicationProtocols = [TLSFile.applicationProtocol]
    configuration.certificateVerification = .fullVerification
    if let authorities { configuration.trustRoots = .certificates(try TLSFile.certificates(authorities)) }
    if let identity {
      configuration.certificateChain = try TLSFile.certificates(identity.certificate).map { .certificate($0) }
      configuration.privateKey = .privateKey(try TLSFile.key(identity.key))
    }
    return try TLSFile.context(configuration, identity?.certificate ?? "the certificates")
  }
}

extension NIOSSLContext {
  /// Adds TLS to a client's channel. The server's certificate must name the host.
  ///
  /// - Parameters:
  ///   - handshake: completed when the handshake is complete. Fails with a `HandshakeError`, or an error of the connection.
  ///   - limit: the time after which the handshake fails.
  package func secure(
    _ channel: any Channel, to host: String, _ handshake: EventLoopPromise<Void>, limit: Duration
  ) throws {
    // TLS cannot send an IP address as the server name, but the certificate must still name it.
    let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
    let tls: NIOSSLClientHandler
    do { tls = try NIOSSLClientHandler(context: self, serverHostname: isAddress ? nil : host) } catch {
      throw HandshakeError.failed
    }
    let reader = ServerRecordReader()
    try channel.pipeline.syncOperations.addHandlers(reader, tls, HandshakeWaiter(handshake, limit: limit, reader))
  }
}
#endif
