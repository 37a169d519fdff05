import FoundationEssentials

/// The key with which a server signs the requests to a webhook. Its text is `whsec_` and the base64 of its bytes, as Standard
/// Webhooks specifies.
public struct WebhookKey: Hashable, Sendable {
  /// The key.
  public let bytes: [UInt8]

  /// Parses a text. Returns `nil` if it is not a key of `NotificationTarget.Limits.keyBytes` bytes in the canonical form.
  public init?(_ secret: String) {
    guard secret.hasPrefix(Self.prefix), let data = Data(base64Encoded: String(secret.dropFirst(Self.prefix.count))),
      NotificationTarget.Limits.keyBytes.contains(data.count)
    else { return nil }
    bytes = Array(data)
    // Other texts of the same bytes have unused bits that are not 0.
    guard self.secret == secret else { return nil }
  }

  /// Generates a key of 32 bytes.
  public init(using generator: inout some RandomNumberGenerator) {
    bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// The text of the key: a secret.
  public var secret: String { Self.prefix + Data(bytes).base64EncodedString() }

  private static let prefix = "whsec_"
}

extension WebhookKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The size of the key.
  public var description: String { "a key of \(bytes.count) bytes" }

  /// The size of the key.
  public var debugDescription: String { description }

  /// No part of the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
