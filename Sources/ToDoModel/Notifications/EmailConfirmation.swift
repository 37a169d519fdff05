/// The code that a user reads in a message to an email address, and the time until which it is valid.
public struct EmailConfirmation: Hashable, Sendable {
  /// Ten characters of Crockford's base32.
  public let code: String
  /// The time from which the code is no longer accepted.
  public let expiry: Timestamp

  /// Creates a value.
  public init(code: String, expiry: Timestamp) { (self.code, self.expiry) = (code, expiry) }

  /// Generates a code of 50 random bits.
  public static func makeCode(using generator: inout some RandomNumberGenerator) -> String {
    String((0..<codeLength).compactMap { _ in alphabet.randomElement(using: &generator) })
  }

  /// The length of a code, in characters.
  static let codeLength = 10
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
  private static let prefix = "unconfirmed"

  /// Parses the secret of a target that is not confirmed. Returns `nil` for any other text.
  init?(_ secret: String) {
    let parts = secret.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == Self.prefix, parts[1].count == Self.codeLength,
      parts[1].allSatisfy(Self.alphabet.contains), let expiry = Int64(parts[2])
    else { return nil }
    self.init(code: String(parts[1]), expiry: Timestamp(microseconds: expiry))
  }

  /// The secret of a target that is not confirmed.
  public var secret: String { "\(Self.prefix):\(code):\(expiry.microseconds)" }

  /// Whether a text is the code, in any case, with or without spaces and hyphens. `O` is read as 0, and `I` and `L` as 1. The time
  /// that this takes does not depend on how much of it is right.
  public func accepts(_ text: String) -> Bool {
    let typed = text.uppercased().filter { $0 != "-" && $0 != " " }.map { character -> Character in
      switch character {
      case "O": "0"
      case "I", "L": "1"
      default: character
      }
    }
    let (left, right) = (Array(String(typed).utf8), Array(code.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension EmailConfirmation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The expiry.
  public var description: String { "until \(expiry)" }

  /// The expiry.
  public var debugDescription: String { description }

  /// No part of the value.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
