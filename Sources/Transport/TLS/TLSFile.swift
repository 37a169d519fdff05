import NIOSSL
import PrivateFiles
import Protobuf

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files of certificates and keys, in PEM.
enum TLSFile {
  /// What both sides name in the handshake (ALPN).
  static let applicationProtocol = "ttrpc"

  /// The suites of TLS 1.2: forward secrecy by ECDHE, and authenticated encryption. Those of TLS 1.3, which is preferred,
  /// all have both and are not listed.
  static let cipherSuites: [NIOTLSCipher] = [
    .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
  ]

  /// - Throws: `TLSFileError`, also when there is none in the file.
  static func certificates(_ path: String) throws(TLSFileError) -> [NIOSSLCertificate] {
    try checkReadable(path)
    let certificates: [NIOSSLCertificate]
    do { certificates = try NIOSSLCertificate.fromPEMFile(path) } catch {
      throw TLSFileError(path, "has no certificate in PEM")
    }
    guard !certificates.isEmpty else { throw TLSFileError(path, "has no certificate in PEM") }
    return certificates
  }

  /// - Throws: `TLSFileError`, also when others than its owner can read the file.
  static func key(_ path: String) throws(TLSFileError) -> NIOSSLPrivateKey {
    try checkReadable(path)
    // Read and checked as one file: another process must not put one in its place in between.
    let bytes: [UInt8]
    do { bytes = try PrivateFile.bytes(of: path, followsLinks: true) ?? [] } catch {
      throw TLSFileError(path, error.reason)
    }
    do { return try NIOSSLPrivateKey(bytes: bytes, format: .pem) } catch {
      throw TLSFileError(path, "has no key in PEM without a passphrase")
    }
  }

  /// - Parameter path: the file of the certificate, to be named when it and its key do not fit.
  package static func context(_ configuration: TLSConfiguration, _ path: String) throws(TLSFileError) -> NIOSSLContext {
    do { return try NIOSSLContext(configuration: configuration) } catch {
      throw TLSFileError(path, "and its key do not fit together")
    }
  }

  private static func checkReadable(_ path: String) throws(TLSFileError) {
    guard access(path, R_OK) == 0 else { throw TLSFileError(path, String(cString: strerror(errno))) }
  }
}

/// A file of a certificate or a key cannot be used.
public struct TLSFileError: Error, Equatable, CustomStringConvertible {
  public let path: String
  public let reason: String

  init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  public var description: String { "\(path): \(reason)" }
}
