#if TLS
import SwiftASN1

/// The subject of a certificate in the order and with the escapes of RFC 4514, for example `CN=ann,O=Home`.
///
/// The text identifies a user, and databases contain it. It must never change for a certificate.
///
/// NIOSSL does not expose the subject. swift-certificates would, but it would add a second BoringSSL to the server for it.
/// swift-asn1 is a DER parser in Swift, without cryptography.
struct CertificateSubject: Equatable, CustomStringConvertible {
  /// The subject as text. Empty if the certificate has an empty subject.
  let description: String

  /// Reads the subject of a certificate, which the TLS library has verified.
  ///
  /// - Throws: `ASN1Error` if the bytes are not a certificate.
  init(certificate bytes: [UInt8]) throws {
    // RFC 5280, section 4.1.
    let name = try DER.sequence(try DER.parse(bytes), identifier: .sequence) { certificate in
      let signed = try certificate.required()
      certificate.skipRest()
      return try DER.sequence(signed, identifier: .sequence) { fields in
        try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { _ in }
        // The serial number, the signature algorithm, the issuer and the validity.
        for _ in 0..<4 { _ = try fields.required() }
        let subject = try fields.required()
        fields.skipRest()
        return subject
      }
    }
    let parts = try DER.sequence(of: RelativeName.self, identifier: .sequence, rootNode: name)
    description = parts.reversed().map(\.description).joined(separator: ",")
  }
}

/// One level of a name, which consists of one or more attributes.
private struct RelativeName: DERParseable {
  let description: String

  init(derEncoded node: ASN1Node) throws {
    let attributes = try DER.set(of: Attribute.self, identifier: .set, rootNode: node)
    description = attributes.map(\.description).joined(separator: "+")
  }
}

/// An attribute of a name.
private struct Attribute: DERParseable {
  let description: String

  init(derEncoded node: ASN1Node) throws {
    description = try DER.sequence(node, identifier: .sequence) { nodes in
      let type = try ASN1ObjectIdentifier(derEncoded: &nodes)
      let value = try nodes.required()
      return "\(Self.names[type] ?? "\(type)")=\(Self.escape(Self.text(value)))"
    }
  }

  private static let names: [ASN1ObjectIdentifier: String] = [
    [2, 5, 4, 3]: "CN", [2, 5, 4, 6]: "C", [2, 5, 4, 7]: "L", [2, 5, 4, 8]: "ST", [2, 5, 4, 9]: "STREET",
    [2, 5, 4, 10]: "O", [2, 5, 4, 11]: "OU", [0, 9, 2342, 19_200_300, 100, 1, 25]: "DC",
    [1, 2, 840, 113549, 1, 9, 1]: "E",
  ]

  /// Returns the text of a string, or a description of any other value's bytes.
  private static func text(_ node: ASN1Node) -> String {
    let text: String? =
      switch node.identifier {
      case ASN1UTF8String.defaultIdentifier: (try? ASN1UTF8String(derEncoded: node)).map { String($0) }
      case ASN1PrintableString.defaultIdentifier: (try? ASN1PrintableString(derEncoded: node)).map { String($0) }
      case ASN1IA5String.defaultIdentifier: (try? ASN1IA5String(derEncoded: node)).map { String($0) }
      default: nil
      }
    return text ?? "\(ASN1Any(derEncoded: node))"
  }

  /// Escapes the characters that have a meaning in the text of a name.
  private static func escape(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let start = bytes.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "#") }.count
    let end = bytes.count - bytes.dropFirst(start).reversed().prefix { $0 == UInt8(ascii: " ") }.count
    let escaped = bytes.enumerated().flatMap { index, byte -> [UInt8] in
      let isSpecial = index < start || index >= end || ",+\"\\<>;".utf8.contains(byte)
      return isSpecial ? [UInt8(ascii: "\\"), byte] : [byte]
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}

extension ASN1NodeCollection.Iterator {
  fileprivate mutating func required() throws -> ASN1Node {
    guard let node = next() else { throw ASN1Error.truncatedASN1Field() }
    return node
  }

  fileprivate mutating func skipRest() {
    while next() != nil {}
  }
}
#endif
