#if TLS
import Crypto
import Foundation
import SwiftASN1
import X509

/// Certificates with unusual subjects.
public enum SampleSubjects {
  /// A certificate, and its subject as swift-certificates prints it.
  public struct Sample: Sendable {
    /// The certificate in DER.
    public let certificate: [UInt8]
    /// The subject's text.
    public let text: String
  }

  /// Returns a certificate for each subject.
  public static func samples() throws -> [Sample] {
    try (names + [try randomName(1), try randomName(2), try randomName(3)]).map { name in
      let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
      let certificate = try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
        notValidBefore: Date(), notValidAfter: Date(timeIntervalSinceNow: 3600),
        issuer: try DistinguishedName { CommonName("Issuer") }, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
        extensions: Certificate.Extensions(), issuerPrivateKey: key)
      var serializer = DER.Serializer()
      try serializer.serialize(certificate)
      return Sample(certificate: serializer.serializedBytes, text: certificate.subject.description)
    }
  }

  private typealias Attribute = RelativeDistinguishedName.Attribute
  private typealias Name = ASN1ObjectIdentifier.RDNAttributeType

  private static var names: [DistinguishedName] {
    get throws {
      let texts = [
        "ann", "", " ", "#", " #a# ", "a,b+c\"d\\e<f>g;h=i", "  two  ", "Zoë 🏡", "a\u{0}b", "a\nb", "CN=eve", "\\",
        " a ",
      ]
      let types: [ASN1ObjectIdentifier] = [
        Name.commonName, Name.countryName, Name.localityName, Name.stateOrProvinceName, Name.organizationName,
        Name.organizationalUnitName, Name.streetAddress, Name.domainComponent, Name.emailAddress, [2, 5, 4, 5],
        [1, 3, 6, 1, 4, 1, 311, 60, 2, 1, 3],
      ]
      let values = try [
        ASN1Any(erasing: ASN1PrintableString("Printable, text")), ASN1Any(erasing: ASN1IA5String("ann@example.org")),
        ASN1Any(erasing: ASN1BMPString(contentBytes: [0, 97, 1, 1])), ASN1Any(erasing: ASN1TeletexString("teletex")),
        ASN1Any(erasing: ASN1OctetString(contentBytes: [1, 2, 3])), ASN1Any(erasing: 7),
      ]
      return [DistinguishedName()]
        + texts.map {
          DistinguishedName([RelativeDistinguishedName(Attribute(type: Name.commonName, utf8String: $0))])
        }
        + values.map { DistinguishedName([RelativeDistinguishedName(Attribute(type: Name.commonName, value: $0))]) }
        + [
          try DistinguishedName(types.map { Attribute(type: $0, utf8String: "x") }),
          try DistinguishedName([
            Attribute(type: Name.commonName, utf8String: "1"), .init(type: Name.commonName, utf8String: "2"),
          ]),
          DistinguishedName([
            RelativeDistinguishedName(types.map { Attribute(type: $0, utf8String: "longer, and shorter") }),
            RelativeDistinguishedName([
              Attribute(type: Name.commonName, utf8String: "b"), Attribute(type: Name.commonName, utf8String: "a"),
            ]),
          ]),
        ]
    }
  }

  /// Returns a name of a hundred levels, whose texts have all characters with a meaning.
  private static func randomName(_ seed: UInt64) throws -> DistinguishedName {
    var state = seed
    let characters = Array(" #,+\"\\<>;=ab")
    return try DistinguishedName(
      (0..<100).map { _ in
        let text = (0..<6).map { _ in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return characters[Int(state >> 33) % characters.count]
        }
        return Attribute(type: Name.commonName, utf8String: String(text))
      })
  }
}
#endif
