import CToDoSodium
import ToDoRules

/// A token in an address, for one purpose: `feed_` or `login_`, the 16 digits of its ID, `_`, and a secret of 32 bytes in 64 hexadecimal digits.
///
/// Its hash includes the purpose, so that it is no bearer token, whatever program reads the store, and a bearer token has no purpose.
struct LinkToken: LosslessStringConvertible {
  /// The purpose of a token.
  enum Purpose: String {
    case feed
    case signIn = "login"
  }

  let purpose: Purpose
  let id: AccessTokenID
  private let secret: [UInt8]

  /// Creates a token with a random ID and a random secret.
  init(for purpose: Purpose) {
    var generator = SystemRandomNumberGenerator()
    self.purpose = purpose
    id = AccessTokenID(number: generator.next())
    secret = (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next() as UInt64) { Array($0) } }
  }

  /// Parses a token, or returns `nil` if the text has another form.
  init?(_ text: String) {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 3, let purpose = Purpose(rawValue: String(parts[0])), let id = AccessTokenID(String(parts[1])),
      let secret = [UInt8](hexadecimal: parts[2].utf8), secret.count == 32
    else { return nil }
    (self.purpose, self.id, self.secret) = (purpose, id, secret)
  }

  /// The complete token.
  var description: String {
    "\(purpose.rawValue)_\(id)_" + secret.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  /// The hash that the account store contains in place of the secret.
  var secretHash: [UInt8] {
    let input = Array(purpose.rawValue.utf8) + [0] + secret
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&hash, input, UInt64(input.count))
    return hash
  }

  /// Whether the hash matches this token's secret, compared in constant time.
  func hasHash(_ hash: [UInt8]) -> Bool {
    let own = secretHash
    return own.count == hash.count && sodium_memcmp(own, hash, own.count) == 0
  }
}
