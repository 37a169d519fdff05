#if TLS
import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// An authority that is good for as long as a test runs, and what it signs.
public struct TestCertificates {
  private let directory: String
  private let key: Certificate.PrivateKey
  private let name: DistinguishedName
  /// The file of the authority's own certificate.
  public let authority: String

  /// The number of seconds for which certificates are valid.
  public static let validity = 3600

  /// - Parameter directory: where the files are put.
  public init(in directory: String, named commonName: String = "Test authority") throws {
    self.directory = directory
    key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    name = try DistinguishedName { CommonName(commonName) }
    authority = "\(directory)/\(UUID()).pem"
    let certificate = try Self.certificate(name, key.publicKey, by: name, key) {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
      Critical(KeyUsage(keyCertSign: true))
    }
    try Self.write(certificate.serializeAsPEM().pemString, to: authority)
  }

  /// The files of a certificate and of its key.
  public struct Files {
    public let certificate: String
    public let key: String
  }

  /// For `localhost` and `127.0.0.1`.
  ///
  /// - Parameters:
  ///   - usingRSA: whether the key is one of RSA, and not of an elliptic curve.
  ///   - offset: the number of seconds by which the time of the certificate is moved, so that it is not valid now.
  public func server(usingRSA: Bool = false, offset: Int = 0) throws -> Files {
    try identity("localhost", usingRSA: usingRSA, offset: offset) {
      SubjectAlternativeNames([.dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1]))])
    }
  }

  /// Creates a certificate of a user, with the subject `CN=name`.
  public func client(_ name: String) throws -> Files {
    try identity(name) { SubjectAlternativeNames([.rfc822Name("\(name)@example.org")]) }
  }

  private func identity(
    _ commonName: String, usingRSA: Bool = false, offset: Int = 0,
    @ExtensionsBuilder _ extensions: () throws -> Result<Certificate.Extensions, any Error>
  ) throws -> Files {
    let (publicKey, pem) = try Self.newKey(usingRSA: usingRSA)
    let certificate = try Self.certificate(
      try DistinguishedName { CommonName(commonName) }, publicKey, by: name, key, offset: offset, extensions)
    let path = "\(directory)/\(UUID())"
    try Self.write(certificate.serializeAsPEM().pemString, to: "\(path).pem")
    try Self.write(pem, to: "\(path).key")
    return Files(certificate: "\(path).pem", key: "\(path).key")
  }

  private static func newKey(usingRSA: Bool) throws -> (Certificate.PublicKey, pem: String) {
    if usingRSA {
      let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
      return (Certificate.PublicKey(key.publicKey), key.pemRepresentation)
    }
    let key = P256.Signing.PrivateKey()
    return (Certificate.PublicKey(key.publicKey), key.pemRepresentation)
  }

  private static func certificate(
    _ subject: DistinguishedName, _ publicKey: Certificate.PublicKey, by issuer: DistinguishedName,
    _ issuerKey: Certificate.PrivateKey, offset: Int = 0,
    @ExtensionsBuilder _ extensions: () throws -> Result<Certificate.Extensions, any Error>
  ) throws -> Certificate {
    try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
      notValidBefore: Date(timeIntervalSinceNow: TimeInterval(offset - 3600)),
      notValidAfter: Date(timeIntervalSinceNow: TimeInterval(offset + validity)),
      issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions(builder: extensions), issuerPrivateKey: issuerKey)
  }

  private static func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }
}
#endif
