/// Makes links that sign a browser in to a server's page.
///
/// `ToDoClient` sends the request to a server. It throws `ToDoError` if the service rejects it, with `invalidRequest` for the field
/// `credentials` if the caller is no user of the server. It throws `RPCError` if no response arrives, with the code `unimplemented`
/// if the server does not have the capability `sign_in_links`.
public protocol SignInService: Sendable {
  /// Creates a link, which works once.
  func createSignInLink() async throws -> SignInLink
}

/// A link that signs a browser in, once.
public struct SignInLink: Hashable, Sendable {
  /// The path and the fragment, which contain the secret.
  public var path: String
  /// The scheme and the authority; empty if the server does not know its own address.
  public var origin: String
  /// When the link expires.
  public var expiresAt: Timestamp

  /// Creates a value.
  public init(path: String, origin: String, expiresAt: Timestamp) {
    (self.path, self.origin, self.expiresAt) = (path, origin, expiresAt)
  }

  /// The maximum number of a user's links.
  public static let limit = 5
}

extension SignInLink: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The origin and the expiry, without the secret.
  public var description: String { "\(origin) until \(expiresAt)" }

  /// The origin and the expiry, without the secret.
  public var debugDescription: String { description }

  /// No part of the link.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
