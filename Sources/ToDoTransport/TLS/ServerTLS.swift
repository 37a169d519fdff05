package import NIOCore
package import ToDoRPC

#if TLS
import NIOSSL
import NIOTLS
import Synchronization
#endif

#if TLS
/// The TLS configuration of a server. Its files can be reloaded while connections are open.
public final class ServerTLS: Sendable {
  private let files: Files
  private let current: Mutex<Contexts>

  /// A context for each protocol, which the handshake names.
  private struct Contexts: Sendable {
    let ttrpc: NIOSSLContext
    let http2: NIOSSLContext
    let http: NIOSSLContext

    init(_ files: Files) throws {
      ttrpc = try files.context(ApplicationProtocol.ttrpc.names)
      http2 = try files.context(ApplicationProtocol.http2.names)
      http = try files.context(ApplicationProtocol.http.names)
    }

    subscript(applicationProtocol: ApplicationProtocol) -> NIOSSLContext {
      switch applicationProtocol {
      case .ttrpc: ttrpc
      case .http2: http2
      case .http: http
      }
    }
  }

  /// Reads the files.
  ///
  /// - Throws: `TLSFileError`.
  public init(_ files: Files) throws {
    self.files = files
    current = Mutex(try Contexts(files))
  }

  /// Reads the files again. New connections use them; open connections are not affected.
  ///
  /// - Throws: `TLSFileError`. The previous files remain in use in that case.
  public func reload() throws {
    let new = try Contexts(files)
    current.withLock { $0 = new }
  }

  /// Adds TLS to an accepted channel. If the client presents a certificate, later handlers receive a
  /// `CertificateEvent`.
  ///
  /// A client that offers application protocols must offer one of the server's. An HTTP/2 client must always offer it.
  package func secure(_ channel: any Channel, speaking applicationProtocol: ApplicationProtocol = .ttrpc) throws {
    let context = current.withLock { $0[applicationProtocol] }
    try channel.pipeline.syncOperations.addHandlers(
      ProtocolCheck(applicationProtocol.names, isRequired: applicationProtocol == .http2),
      NIOSSLServerHandler(context: context),
      CertificateReader())
  }
}

extension ServerTLS.ApplicationProtocol {
  /// The names of the protocol in the handshake (ALPN), the preferred one first.
  fileprivate var names: [String] {
    switch self {
    case .ttrpc: [TLSFile.applicationProtocol]
    case .http2: ["h2"]
    case .http: ["h2", "http/1.1"]
    }
  }
}

extension ServerTLS.Files {
  fileprivate func context(_ applicationProtocols: [String]) throws -> NIOSSLContext {
    let chain = try TLSFile.certificates(certificate)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(try TLSFile.key(key)))
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = TLSFile.cipherSuites
    configuration.applicationProtocols = applicationProtocols
    if let clientAuthorities {
      configuration.certificateVerification = .optionalVerification
      configuration.trustRoots = .certificates(try TLSFile.certificates(clientAuthorities))
    }
    return try TLSFile.context(configuration, certificate)
  }
}

/// Fires a `CertificateEvent` after the handshake if the client has presented a certificate.
private final class CertificateReader: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent,
      let handler = try? context.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self),
      let certificate = handler.peerCertificate,
      let subject = try? CertificateSubject(certificate: certificate.toDERBytes())
    {
      context.fireUserInboundEventTriggered(
        CertificateEvent(subject: subject.description, expiry: Int64(certificate.notValidAfter)))
    }
    context.fireUserInboundEventTriggered(event)
  }
}
#else

/// The TLS configuration of a server. A build without the trait TLS has no values of this type.
public struct ServerTLS: Sendable {
  /// Fails, because this build has no TLS.
  ///
  /// - Throws: `TLSFileError`.
  public init(_ files: Files) throws {
    throw TLSFileError(files.certificate, "cannot be used, because \(Endpoint.withoutTLS)")
  }

  /// Reads the files again.
  public func reload() throws {}

  /// Adds TLS to an accepted channel.
  package func secure(_ channel: any Channel, speaking applicationProtocol: ApplicationProtocol = .ttrpc) throws {}
}
#endif

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
    /// HTTP/2 or HTTP/1.1.
    case http
  }
}

/// An event that a peer has presented a certificate, which was verified.
package struct CertificateEvent: Sendable {
  /// The subject of the certificate, in the format of `Peer.certificateSubject`.
  package let subject: String
  /// The certificate's expiry, in seconds since 1970.
  package let expiry: Int64
}

extension Peer {
  /// Returns the same peer with the certificate that it has presented.
  package func presenting(_ certificate: CertificateEvent) -> Peer {
    var peer = self
    (peer.certificateSubject, peer.certificateExpiry) = (certificate.subject, certificate.expiry)
    return peer
  }
}
