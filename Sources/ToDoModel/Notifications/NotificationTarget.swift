/// A destination to which a server sends a user's reminders: a topic of an ntfy server, a webhook, or an email address.
///
/// The secret, the URL's path and the part of an address before the `@` are not shown: no text form contains them.
public struct NotificationTarget: Identifiable, Hashable, Sendable {
  /// The protocol of a target.
  @nonexhaustive
  public enum Kind: String, CaseIterable, Sendable {
    /// A topic of an ntfy server. The secret is an access token, or absent.
    case ntfy
    /// A receiver of HTTP requests that are signed as Standard Webhooks describes. The secret is the signing key.
    case webhook
    /// An email address, as a URL with the scheme `mailto`. The secret of one that the user has not confirmed is the text of an
    /// `EmailConfirmation`, and nothing is sent there. Afterwards, there is none.
    case email
  }

  /// The target's ID.
  public let id: NotificationTargetID
  /// The protocol.
  public var kind: Kind
  /// The URL, whose path is a credential.
  public var url: String
  /// The access token, or the key of the signature in the form `whsec_` and base64. `nil` for none.
  public var secret: String?

  /// Creates a target.
  public init(id: NotificationTargetID = NotificationTargetID(), kind: Kind, url: String, secret: String? = nil) {
    self.id = id
    self.kind = kind
    self.url = url
    self.secret = secret
  }

  /// The limits of targets.
  public enum Limits {
    /// The maximum number of a user's targets.
    public static let targets = 8
    /// The maximum size of a URL, in bytes.
    public static let urlBytes = 2_048
    /// The maximum size of an access token, in bytes.
    public static let tokenBytes = 256
    /// The size of a webhook's key, in bytes.
    public static let keyBytes = 24...64
    /// The maximum length of an ntfy topic, in characters.
    public static let topicCharacters = 64
  }

  /// The scheme and the host, or the domain of an email address, as logs may show them. Empty if the URL is invalid.
  public var redactedURL: String {
    kind == .email ? emailAddress?.domain ?? "" : NotificationURL(url)?.origin ?? ""
  }

  /// The address of an email target.
  public var emailAddress: EmailAddress? {
    guard kind == .email, url.hasPrefix(Self.emailScheme) else { return nil }
    return EmailAddress(String(url.dropFirst(Self.emailScheme.count)))
  }

  /// The prefix of a URL that contains an email address.
  static let emailScheme = "mailto:"

  /// Whether reminders may be sent there: an email address first needs the code that was sent to it.
  public var isConfirmed: Bool { kind != .email || secret == nil }

  /// The code that an address needs; `nil` if it needs none.
  public var confirmation: EmailConfirmation? { isConfirmed ? nil : secret.flatMap(EmailConfirmation.init) }
}

extension NotificationTarget: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind, the scheme and the host.
  public var description: String { "\(kind.rawValue) \(redactedURL)" }

  /// The kind, the scheme and the host.
  public var debugDescription: String { description }

  /// No part of the target.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension NotificationTarget {
  /// Returns every violation of a rule. A webhook without a secret is valid: the service makes one.
  ///
  /// - Parameter path: the path of the target in the request, such as `target`.
  public func violations(at path: String) -> [FieldViolation] {
    if kind == .email { return emailViolations(at: path) }
    var found: [FieldViolation] = []
    do {
      let parsed = try NotificationURL(validating: url)
      if kind == .ntfy, let reason = parsed.topicViolation { found.append(FieldViolation("\(path).url", reason)) }
    } catch {
      found.append(FieldViolation("\(path).url", error.reason))
    }
    if let secret, let reason = secretViolation(secret) { found.append(FieldViolation("\(path).secret", reason)) }
    return found
  }

  private func emailViolations(at path: String) -> [FieldViolation] {
    var found: [FieldViolation] = []
    if url.hasPrefix(Self.emailScheme) {
      do { _ = try EmailAddress(validating: String(url.dropFirst(Self.emailScheme.count))) } catch {
        found.append(FieldViolation("\(path).url", error.reason))
      }
    } else {
      found.append(FieldViolation("\(path).url", "must begin with \(Self.emailScheme)"))
    }
    if secret != nil {
      found.append(FieldViolation("\(path).secret", "must be empty, because an email address has none"))
    }
    return found
  }

  private func secretViolation(_ secret: String) -> String? {
    switch kind {
    case .email: return nil
    case .ntfy:
      let isToken =
        (1...Limits.tokenBytes).contains(secret.utf8.count) && secret.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      return isToken ? nil : "must be an access token of 1 to \(Limits.tokenBytes) visible ASCII characters"
    case .webhook:
      let (least, most) = (Limits.keyBytes.lowerBound, Limits.keyBytes.upperBound)
      return WebhookKey(secret) == nil ? "must be whsec_ and the base64 of \(least) to \(most) bytes" : nil
    }
  }
}

/// Identifies a target: a version 7 UUID, so that IDs sort by the time of their creation.
public struct NotificationTargetID: Hashable, Sendable {
  /// The first eight bytes, most significant first.
  public let high: UInt64
  /// The last eight bytes, most significant first.
  public let low: UInt64

  /// Creates an ID from its bytes.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Generates a version 7 UUID with the system's clock and random number generator.
  public init() { self.init(uuid: ItemID()) }

  private init(uuid: ItemID) { self.init(high: uuid.high, low: uuid.low) }
}

extension NotificationTargetID: Comparable {
  /// Whether the first ID sorts earlier.
  public static func < (left: NotificationTargetID, right: NotificationTargetID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension NotificationTargetID: LosslessStringConvertible {
  /// Parses a UUID in either case. Returns `nil` for any other text.
  public init?(_ text: String) {
    guard let uuid = ItemID(text) else { return nil }
    self.init(uuid: uuid)
  }

  /// The canonical form: lower case, with hyphens.
  public var description: String { ItemID(high: high, low: low).description }
}
