#if GRPC
import NIOCore
import ToDoTransport

#if TLS
import NIOSSL
#endif

extension ClientTLS {
  /// Adds TLS to an HTTP/2 client's channel. The server's certificate must be for `localhost`.
  ///
  /// The context of Transport offers ttrpc only.
  func secureHTTP2(_ channel: any Channel) throws {
    #if TLS
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.applicationProtocols = ["h2"]
    if let authorities { configuration.trustRoots = .file(authorities) }
    if let identity {
      configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(identity.certificate).map { .certificate($0) }
      configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: identity.key, format: .pem))
    }
    let context = try NIOSSLContext(configuration: configuration)
    try channel.pipeline.syncOperations.addHandler(
      try NIOSSLClientHandler(context: context, serverHostname: "localhost"))
    #else
    preconditionFailure("there is no TLS in this build")
    #endif
  }
}
#endif
