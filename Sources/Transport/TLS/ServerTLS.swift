import FoundationEssentials
package import NIOCore
import NIOSSL
import NIOTLS
package import RPC
import SwiftASN1
import Synchronization
import X509

/// What a server shows and demands in TLS handshakes. It can be read anew while connections are open.
public final class ServerTLS: Sendable {
  public struct Files: Sendable {
    /// The server's certificate and those that lead from it to one that clients trust, in PEM.
    public var certificate: String
    /// Its key, in PEM, which only its owner can read.
    public var key: String
    /// The certificates, in PEM, that clients' own lead to; `nil`: clients are asked for none.
    public var clientAuthorities: String?

    public init(certificate: String, key: String, clientAuthorities: String? = nil) {
      self.certificate = certificate
      self.key = key
      self.clientAuthorities = clientAuthorities
    }
  }

  private let files: Files
  private let current: Mutex<Contexts>

  /// What can be spoken behind TLS.
  package enum Wire: Sendable {
    case ttrpc, http2

    /// The name in the handshake (ALPN).
    fileprivate var applicationProtocol: String {
      switch self {
      case .ttrpc: TLSFile.applicationProtocol
      case .http2: "h2"
      }
    }
  }

  /// One for each wire, as the handshake names it.
  private struct Contexts: Sendable {
    let ttrpc: NIOSSLContext
    let http2: NIOSSLContext

    init(_ files: Files) throws {
      ttrpc = try files.context(Wire.ttrpc.applicationProtocol)
      http2 = try files.context(Wire.http2.applicationProtocol)
    }

    subscript(wire: Wire) -> NIOSSLContext {
      switch wire {
      case .ttrpc: ttrpc
      case .http2: http2
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

  /// Reads the files again, for the connections to come; those that are open stay.
  ///
  /// - Throws: `TLSFileError`; then all stays as it was.
  public func reload() throws {
    let new = try Contexts(files)
    current.withLock { $0 = new }
  }

  /// Puts TLS between a new connection's socket and what comes behind it, which learns by a `CertificateEvent` who the
  /// peer is, if that shows it.
  ///
  /// A client that offers application protocols must offer the one of the wire. A client of HTTP/2 must offer it.
  package func secure(_ channel: any Channel, speaking wire: Wire = .ttrpc) throws {
    let context = current.withLock { $0[wire] }
    try channel.pipeline.syncOperations.addHandlers(
      ProtocolCheck(wire.applicationProtocol, isRequired: wire == .http2), NIOSSLServerHandler(context: context),
      CertificateReader())
  }
}

extension ServerTLS.Files {
  fileprivate func context(_ applicationProtocol: String) throws -> NIOSSLContext {
    let chain = try TLSFile.certificates(certificate)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(try TLSFile.key(key)))
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = TLSFile.cipherSuites
    configuration.applicationProtocols = [applicationProtocol]
    if let clientAuthorities {
      configuration.certificateVerification = .optionalVerification
      configuration.trustRoots = .certificates(try TLSFile.certificates(clientAuthorities))
    }
    return try TLSFile.context(configuration, certificate)
  }
}

/// Tells, once the handshake is done, whom the client's certificate is for.
private final class CertificateReader: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent,
      let handler = try? context.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self),
      let bytes = try? handler.peerCertificate?.toDERBytes(),
      let certificate = try? Certificate(derEncoded: bytes)
    {
      let peer = Peer(
        certificateSubject: certificate.subject.description,
        certificateExpiry: Int64(certificate.notValidAfter.timeIntervalSince1970),
        address: NetworkAddress(context.channel.remoteAddress))
      context.fireUserInboundEventTriggered(CertificateEvent(peer: peer))
    }
    context.fireUserInboundEventTriggered(event)
  }
}

/// The peer has shown a certificate that was verified.
package struct CertificateEvent: Sendable {
  package let peer: Peer
}
