/// The key with which a server signs the requests to a webhook. Its text is `whsec_` and the base64 of its bytes, as Standard
/// Webhooks has it.
public struct WebhookKey: Hashable, Sendable {
  /// The key.
  public let bytes: [UInt8]

  /// Parses a text. Returns `nil` if it is no key of `NotificationTarget.Limits.keyBytes` bytes in the canonical form.
  public init?(_ secret: String) {
    guard secret.utf8.starts(with: Self.prefix.utf8), let bytes = Self.decode(secret.utf8.dropFirst(Self.prefix.count)),
      NotificationTarget.Limits.keyBytes.contains(bytes.count)
    else { return nil }
    self.bytes = bytes
  }

  /// Generates a key of 32 bytes.
  public init(using generator: inout some RandomNumberGenerator) {
    bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// The text of the key: a secret.
  public var secret: String { Self.prefix + Self.encode(bytes) }

  private static let prefix = "whsec_"
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  private static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0..<4 { text.append(index <= group.count ? digits[bits >> (18 - 6 * index) & 63] : padding) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes the canonical form, which is padded and has no unused bits.
  private static func decode(_ text: Substring.UTF8View) -> [UInt8]? {
    var (bytes, bits, count) = ([UInt8](), 0, 0)
    for digit in text.prefix(while: { $0 != padding }) {
      guard let value = digits.firstIndex(of: digit) else { return nil }
      (bits, count) = (bits << 6 | value, count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        bits &= 1 << count - 1
      }
    }
    return encode(bytes).utf8.elementsEqual(text) ? bytes : nil
  }
}

extension WebhookKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The size of the key.
  public var description: String { "a key of \(bytes.count) bytes" }

  /// The size of the key.
  public var debugDescription: String { description }

  /// No part of the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
