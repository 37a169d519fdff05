#if TLS
import Glibc
import NIOSSL
import ToDoSupport

/// Reads PEM files of certificates and keys.
enum TLSFile {
  /// The application protocol (ALPN) of both sides.
  static let applicationProtocol = "ttrpc"

  /// The cipher suites of TLS 1.2 with forward secrecy (ECDHE) and authenticated encryption. TLS 1.3 is preferred. All its
  /// suites have both properties and are not listed.
  static let cipherSuites: [NIOTLSCipher] = [
    .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
  ]

  /// Returns the certificates of a file.
  ///
  /// - Throws: `TLSFileError` if the file cannot be read or has no certificate.
  static func certificates(_ path: String) throws(TLSFileError) -> [NIOSSLCertificate] {
    try checkReadable(path)
    let certificates: [NIOSSLCertificate]
    do { certificates = try NIOSSLCertificate.fromPEMFile(path) } catch {
      throw TLSFileError(path, "has no certificate in PEM")
    }
    guard !certificates.isEmpty else { throw TLSFileError(path, "has no certificate in PEM") }
    return certificates
  }

  /// Returns a file's key.
  ///
  /// - Throws: `TLSFileError` if the file cannot be read, has no key, or can be read by users other than its owner.
  static func key(_ path: String) throws(TLSFileError) -> NIOSSLPrivateKey {
    try checkReadable(path)
    // One call reads and checks the file, so that another process cannot replace it between the two.
    let bytes: [UInt8]
    do { bytes = try PrivateFile.bytes(of: path, followsLinks: true) ?? [] } catch {
      throw TLSFileError(path, error.reason)
    }
    do { return try NIOSSLPrivateKey(bytes: bytes, format: .pem) } catch {
      throw TLSFileError(path, "contains no unencrypted PEM private key")
    }
  }

  /// Creates a TLS context.
  ///
  /// - Parameter path: the certificate file, which the error names if its key does not match.
  /// - Throws: `TLSFileError`.
  package static func context(_ configuration: TLSConfiguration, _ path: String) throws(TLSFileError) -> NIOSSLContext {
    do { return try NIOSSLContext(configuration: configuration) } catch {
      throw TLSFileError(path, "does not match its key")
    }
  }

  private static func checkReadable(_ path: String) throws(TLSFileError) {
    guard access(path, R_OK) == 0 else { throw TLSFileError(path, String(cString: strerror(errno))) }
  }
}
#endif

/// A certificate or key file that cannot be used, and the reason.
public struct TLSFileError: Error, Equatable, CustomStringConvertible {
  /// The file's path.
  public let path: String
  /// The reason, which follows the path in an error message.
  public let reason: String

  init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The path and the reason.
  public var description: String { "\(path): \(reason)" }
}
