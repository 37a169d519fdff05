import CToDoSodium
public import ToDoRules

/// A token in the form that its bearer presents: `todo_`, the 16 digits of its ID, `_`, and a secret of 32 bytes in 64
/// hexadecimal digits.
public struct BearerToken: Sendable, LosslessStringConvertible {
  /// The ID of the token, which is not secret.
  public let id: AccessTokenID
  private let secret: [UInt8]

  /// Creates a token with a random ID and a random secret.
  public init() {
    var generator = SystemRandomNumberGenerator()
    id = AccessTokenID(number: generator.next())
    secret = (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
  }

  /// Parses the token after the scheme `Bearer` in any case, or returns `nil` if the text has another form.
  init?(authorization text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: " "))
    guard parts.count == 2, parts[0].elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
    self.init(String(Substring(parts[1])))
  }

  /// Parses a token, or returns `nil` if the text has another form.
  public init?(_ text: String) {
    let parts = text[...].utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual("todo".utf8), let id = AccessTokenID(digits: parts[1]),
      let secret = [UInt8](hexadecimal: parts[2]), secret.count == 32
    else { return nil }
    self.id = id
    self.secret = secret
  }

  /// The complete token. Any client that presents it is authenticated.
  public var description: String {
    "todo_\(id)_" + secret.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  /// The secret's SHA-256 hash, which the account store contains in place of the secret.
  public var secretHash: [UInt8] {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&hash, secret, UInt64(secret.count))
    return hash
  }

  /// Whether the hash matches this token's secret, compared in constant time.
  func hasHash(_ hash: [UInt8]) -> Bool {
    let own = secretHash
    return own.count == hash.count && sodium_memcmp(own, hash, own.count) == 0
  }
}
