#if TLS
import FoundationEssentials

/// Certificates with unusual subjects, and those subjects as swift-certificates prints them.
///
/// CertificateSubjects.json contains one certificate for each of
///
/// - the empty name
/// - texts with everything that is escaped, with a NUL, a newline or an emoji, and the empty text
/// - values of other string types than UTF8String, and of types that are no strings
/// - all attribute types, each at a level of its own and then together at one level, in the order of DER's SET
/// - two levels of one type
/// - a hundred levels of random characters that have a meaning in names (three times)
///
/// The file was written once, with swift-certificates 1.21.1. Databases contain such texts, so they never change.
struct SampleSubjects: Decodable {
  struct Sample: Decodable {
    private let der: Data
    /// The subject's text.
    let text: String

    /// The certificate in DER.
    var certificate: [UInt8] { Array(der) }
  }

  private let samples: [Sample]

  /// Reads the samples.
  static func samples() throws -> [Sample] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "CertificateSubjects.json")
    return try JSONDecoder().decode(SampleSubjects.self, from: Data(contentsOf: file)).samples
  }
}
#endif
