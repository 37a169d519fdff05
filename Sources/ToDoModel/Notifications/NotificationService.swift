/// The operations on the targets to which a server sends one user's reminders.
///
/// `LocalNotificationService` performs them over a store; `ToDoClient` sends them to a server. Every operation throws
/// `ToDoError` if the service rejects it: `notificationsOff` if it sends no notifications, and `invalidRequest` for the field
/// `credentials` if the caller is not a user of the server. A client also throws `RPCError` if no response arrives.
public protocol NotificationService: Sendable {
  /// Adds a target. An email address gets a message with a code, and nothing else until the user confirms it.
  ///
  /// - Returns: the target, and the secret of a webhook that was added without one. The secret is never returned again.
  /// - Throws: `invalidRequest`, also if the user has a target of the same kind with the same URL, or the service sends no email;
  ///   `tooManyNotificationTargets`; `notificationFailed` if the code cannot be sent, also because too many were.
  func addNotificationTarget(_ target: NewNotificationTarget) async throws -> AddedNotificationTarget

  /// Returns the targets, the earliest first, without their secrets and the paths of their URLs.
  func notificationTargets() async throws -> [NotificationTargetInfo]

  /// Removes a target. Reminders that are being sent may still arrive.
  ///
  /// - Throws: `notificationTargetNotFound`.
  func removeNotificationTarget(_ id: NotificationTargetID) async throws

  /// Confirms an email address with the code that was sent to it. A target that needs no code stays as it is.
  ///
  /// - Parameter code: the code, in either case and with or without hyphens.
  /// - Throws: `notificationTargetNotFound`; `invalidRequest` for the field `code` if it is another one, or expired.
  func confirmNotificationTarget(_ id: NotificationTargetID, code: String) async throws

  /// Sends a test message to a target.
  ///
  /// - Throws: `notificationTargetNotFound`, `notificationFailed`; `invalidRequest` for the field `id` if it is not confirmed.
  func testNotificationTarget(_ id: NotificationTargetID) async throws
}

/// A target to add.
public struct NewNotificationTarget: Hashable, Sendable {
  /// The protocol.
  public var kind: NotificationTarget.Kind
  /// The URL, whose path is a credential.
  public var url: String
  /// The secret; `nil` for none. A webhook then gets a new key.
  public var secret: String?

  /// Creates a target to add.
  public init(kind: NotificationTarget.Kind, url: String, secret: String? = nil) {
    self.kind = kind
    self.url = url
    self.secret = secret
  }
}

extension NewNotificationTarget: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind, the scheme and the host.
  public var description: String { NotificationTarget(kind: kind, url: url).description }

  /// The kind, the scheme and the host.
  public var debugDescription: String { description }

  /// No part of the target.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A target as a service describes it: without credentials.
public struct NotificationTargetInfo: Identifiable, Hashable, Sendable {
  /// The target's ID.
  public let id: NotificationTargetID
  /// The protocol; `nil` for one that a later version has added.
  public var kind: NotificationTarget.Kind?
  /// The scheme, the host, and the port unless it is the scheme's own; for an email address, the domain.
  public var origin: String
  /// Whether the target has a secret.
  public var hasSecret: Bool
  /// Whether nothing is sent to the target until the user confirms it.
  public var needsConfirmation: Bool
  /// The last attempt to send a reminder, if it failed; `nil` also if the server was restarted since.
  public var lastFailure: NotificationFailure?

  /// Creates a value.
  public init(
    id: NotificationTargetID, kind: NotificationTarget.Kind?, origin: String, hasSecret: Bool,
    needsConfirmation: Bool = false, lastFailure: NotificationFailure? = nil
  ) {
    self.id = id
    self.kind = kind
    self.origin = origin
    self.hasSecret = hasSecret
    self.needsConfirmation = needsConfirmation
    self.lastFailure = lastFailure
  }

  /// Creates a value without the credentials of a target.
  public init(_ target: NotificationTarget, lastFailure: NotificationFailure? = nil) {
    self.init(
      id: target.id, kind: target.kind, origin: target.redactedURL,
      hasSecret: target.kind != .email && target.secret != nil, needsConfirmation: !target.isConfirmed,
      lastFailure: lastFailure)
  }
}

/// A failed attempt to send a message to a target.
public struct NotificationFailure: Hashable, Sendable {
  /// The time of the attempt.
  public var time: Timestamp
  /// The reason, as a phrase without any credential.
  public var reason: String

  /// Creates a failure.
  public init(time: Timestamp, reason: String) { (self.time, self.reason) = (time, reason) }
}

/// A target that was added.
public struct AddedNotificationTarget: Hashable, Sendable {
  /// The target.
  public var target: NotificationTargetInfo
  /// The secret that the service made; `nil` if it made none.
  public var madeSecret: String?

  /// Creates a value.
  public init(target: NotificationTargetInfo, madeSecret: String? = nil) {
    self.target = target
    self.madeSecret = madeSecret
  }
}

extension AddedNotificationTarget: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The target without the secret.
  public var description: String { "\(target)" }

  /// The target without the secret.
  public var debugDescription: String { description }

  /// The target without the secret.
  public var customMirror: Mirror { Mirror(self, children: ["target": target]) }
}
