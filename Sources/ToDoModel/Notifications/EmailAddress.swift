/// An email address that can stand in a command of SMTP and in a header without being quoted. No refusal contains any part of the
/// text.
///
/// The local part is a dot-atom of ASCII, and the domain a host name with at least one dot. Quoted local parts, comments, address
/// literals and control characters are refused, so that no address can add a command or a header.
public struct EmailAddress: Hashable, Sendable {
  /// The limits of addresses.
  public enum Limits {
    /// The maximum size of an address, in bytes.
    public static let bytes = 254
    /// The maximum size of a local part, in bytes.
    public static let localPartBytes = 64
    /// The maximum size of a domain, in bytes.
    public static let domainBytes = 253
    /// The maximum size of a domain's label, in bytes.
    public static let labelBytes = 63
  }

  /// The reason why a text is not an address.
  public struct Refusal: Error, Equatable, Sendable {
    /// The violated rule, as a phrase that follows the field's name.
    public let reason: String

    fileprivate init(_ reason: String) { self.reason = reason }
  }

  /// The part before the `@`, as it was written.
  public let localPart: String
  /// The part after the `@`, in lower case.
  public let domain: String

  /// Parses an address. Returns `nil` for any other text.
  public init?(_ text: String) {
    do { self = try EmailAddress(validating: text) } catch { return nil }
  }

  /// Parses an address.
  public init(validating text: String) throws(Refusal) {
    guard text.utf8.count <= Limits.bytes else { throw Refusal("must have at most \(Limits.bytes) bytes") }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Refusal("must contain only visible ASCII characters")
    }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw Refusal("must be an email address with one @") }
    guard (1...Limits.localPartBytes).contains(parts[0].utf8.count), Self.isDotAtom(parts[0]) else {
      throw Refusal(
        "must have 1 to \(Limits.localPartBytes) letters, digits or !#$%&'*+-/=?^_`{|}~ before the @, with single dots between them"
      )
    }
    guard Self.isDomain(parts[1]) else {
      throw Refusal("must have the name of a domain with at least one dot after the @, and no address in brackets")
    }
    (localPart, domain) = (String(parts[0]), parts[1].lowercased())
  }

  private static func isDotAtom(_ text: Substring) -> Bool {
    text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.allSatisfy { isAlphanumeric($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
    }
  }

  private static func isDomain(_ text: Substring) -> Bool {
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    // A last label of digits is the end of an IPv4 address.
    guard text.utf8.count <= Limits.domainBytes, labels.count > 1,
      labels.last?.allSatisfy({ (0x30...0x39).contains($0) }) == false
    else { return false }
    return labels.allSatisfy { label in
      (1...Limits.labelBytes).contains(label.count) && label.first != UInt8(ascii: "-")
        && label.last != UInt8(ascii: "-") && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}

extension EmailAddress: CustomStringConvertible {
  /// The address.
  public var description: String { "\(localPart)@\(domain)" }
}
