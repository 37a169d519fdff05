public import ToDoModel

/// The notification targets of one user, by the rules of targets over any store.
public struct LocalNotificationService: NotificationService {
  private let store: any NotificationTargetStore
  private let tester: any NotificationTester
  private let user: OwnerID
  private let writeRate: WriteRateLimiter?
  private let failures: (any NotificationFailures)?
  private let confirmations: EmailConfirmations?
  private let clock: any WallClock
  /// The right to change the targets; `nil` if nothing can end it.
  private var right: WriteRight?

  /// The number of written items that a test message counts as, because it costs a request to another server.
  static let testCost = 200

  /// Creates the service of a user.
  ///
  /// - Parameters:
  ///   - user: the owner of the user's default list.
  ///   - writeRate: limits the user's changes and test messages, together with those of the user's lists.
  ///   - failures: the failed deliveries; `nil` if they are not known.
  ///   - confirmations: sends codes to email addresses; `nil` if there can be none.
  ///   - clock: the clock by which codes expire.
  public init(
    store: any NotificationTargetStore, tester: any NotificationTester, user: OwnerID,
    writeRate: WriteRateLimiter? = nil, failures: (any NotificationFailures)? = nil,
    confirmations: EmailConfirmations? = nil, clock: any WallClock = SystemWallClock()
  ) {
    self.store = store
    self.tester = tester
    self.user = user
    self.writeRate = writeRate
    self.failures = failures
    self.confirmations = confirmations
    self.clock = clock
  }

  /// Returns the same targets, which can be changed for as long as a right lasts.
  package func permitted(by right: WriteRight?) -> LocalNotificationService {
    var service = self
    service.right = right
    return service
  }

  /// Makes a change whose transaction checks the right.
  private func change(_ body: (@escaping @Sendable (Int64) throws -> Void) async throws -> Void) async throws {
    var right = right
    while true {
      do {
        return try await body { [right] version in try right?.check(accessVersion: version) }
      } catch is WriteRight.Outdated {
        right = try await right?.renewed()
      }
    }
  }

  public func addNotificationTarget(_ target: NewNotificationTarget) async throws -> AddedNotificationTarget {
    var added = NotificationTarget(kind: target.kind, url: target.url, secret: target.secret)
    let violations = added.violations(at: "target")
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
    var madeSecret: String?
    if added.kind == .webhook, added.secret == nil {
      var generator = SystemRandomNumberGenerator()
      madeSecret = WebhookKey(using: &generator).secret
      added.secret = madeSecret
    }
    let cost = added.kind == .email ? Self.testCost : LocalToDoListService.changeCost
    try writeRate?.admit(cost, textSize: added.url.utf8.count, to: user)
    added = NotificationTarget(id: try await newID(), kind: added.kind, url: added.url, secret: added.secret)
    if added.kind == .email { added = try await unconfirmed(added) }
    try await change { [store, user, added] in try await store.addNotificationTarget(added, of: user, checking: $0) }
    return AddedNotificationTarget(target: NotificationTargetInfo(added), madeSecret: madeSecret)
  }

  /// Sends a code to a target's address, and returns the target as it is until it is confirmed. Targets of the user whose codes
  /// have expired are removed.
  private func unconfirmed(_ target: NotificationTarget) async throws -> NotificationTarget {
    guard let confirmations, let address = target.emailAddress else {
      throw ToDoError.invalidRequest([FieldViolation("target.kind", "is email, but this server sends no email")])
    }
    let url = "mailto:\(address)"
    let target = NotificationTarget(id: target.id, kind: .email, url: url)
    for expired in try await store.notificationTargets(of: user) where isExpired(expired) {
      try await change { [store, user] in
        _ = try await store.removeNotificationTarget(expired.id, of: user, checking: $0)
      }
    }
    // Before the message, which would be in vain.
    try await store.notificationTargets(of: user).checkAddition(of: target)
    return try await confirmations.send(to: target, of: user)
  }

  private func isExpired(_ target: NotificationTarget) -> Bool {
    guard !target.isConfirmed else { return false }
    return target.confirmation.map { $0.expiry <= clock.now() } ?? true
  }

  /// Returns an ID after those of the existing targets, including one that was added in the same millisecond.
  private func newID() async throws -> NotificationTargetID {
    let id = NotificationTargetID()
    guard let last = try await store.notificationTargets(of: user).last?.id, id <= last else { return id }
    return NotificationTargetID(high: last.high, low: last.low &+ 1)
  }

  public func notificationTargets() async throws -> [NotificationTargetInfo] {
    try await store.notificationTargets(of: user).map { target in
      NotificationTargetInfo(target, lastFailure: failures?.lastFailure(of: target.id))
    }
  }

  public func removeNotificationTarget(_ id: NotificationTargetID) async throws {
    try writeRate?.admit(LocalToDoListService.changeCost, textSize: 0, to: user)
    try await change { [store, user] in
      _ = try await store.removeNotificationTarget(id, of: user, checking: $0)
    }
  }

  public func confirmNotificationTarget(_ id: NotificationTargetID, code: String) async throws {
    try writeRate?.admit(LocalToDoListService.changeCost, textSize: code.utf8.count, to: user)
    let targets = try await store.notificationTargets(of: user)
    guard let target = targets.first(where: { $0.id == id }) else { throw ToDoError.notificationTargetNotFound(id) }
    guard !target.isConfirmed, let secret = target.secret else { return }
    guard let confirmation = target.confirmation, !isExpired(target) else {
      let reason = "has expired; remove the target and add it again"
      throw ToDoError.invalidRequest([FieldViolation("code", reason)])
    }
    guard confirmation.accepts(code) else {
      throw ToDoError.invalidRequest([FieldViolation("code", "is not the code that was sent to the address")])
    }
    try await change { [store, user] in
      try await store.removeSecret(secret, ofNotificationTarget: id, of: user, checking: $0)
    }
  }

  public func testNotificationTarget(_ id: NotificationTargetID) async throws {
    try writeRate?.admit(Self.testCost, textSize: 0, to: user)
    let targets = try await store.notificationTargets(of: user)
    guard let target = targets.first(where: { $0.id == id }) else { throw ToDoError.notificationTargetNotFound(id) }
    guard target.isConfirmed else {
      throw ToDoError.invalidRequest([FieldViolation("id", "is an email address that is not confirmed")])
    }
    try await tester.sendTest(to: target)
  }
}
