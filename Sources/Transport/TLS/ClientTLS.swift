package import NIOCore
package import NIOSSL

/// How a client makes sure that it speaks to the right server, and shows who it is.
public struct ClientTLS: Hashable, Sendable {
  /// A file of certificates, in PEM, that the server's own leads to; `nil`: those that the system trusts.
  public var authorities: String?
  /// The client's own certificate and those that lead from it to one that the server trusts, and its key, in PEM.
  public var identity: Identity?

  public struct Identity: Hashable, Sendable {
    public var certificate: String
    /// A file that only its owner can read.
    public var key: String

    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  public init(authorities: String? = nil, identity: Identity? = nil) {
    self.authorities = authorities
    self.identity = identity
  }

  /// Reads the files.
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
  /// Puts TLS between a connection's socket and what comes behind it; the server's certificate must name the host.
  package func secure(_ channel: any Channel, to host: String) throws {
    // An address is not sent, as TLS has no way to, but is what the certificate must name.
    let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
    try channel.pipeline.syncOperations.addHandler(
      NIOSSLClientHandler(context: self, serverHostname: isAddress ? nil : host))
  }
}
