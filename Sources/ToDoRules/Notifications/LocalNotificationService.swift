public import ToDoModel

/// Where the reminders of one user are sent, by the rules of targets over any store.
public struct LocalNotificationService: NotificationService {
  private let store: any NotificationTargetStore
  private let tester: any NotificationTester
  private let user: OwnerID
  private let writeRate: WriteRateLimiter?
  private let failures: (any NotificationFailures)?
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
  public init(
    store: any NotificationTargetStore, tester: any NotificationTester, user: OwnerID,
    writeRate: WriteRateLimiter? = nil, failures: (any NotificationFailures)? = nil
  ) {
    self.store = store
    self.tester = tester
    self.user = user
    self.writeRate = writeRate
    self.failures = failures
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
    try writeRate?.admit(LocalToDoListService.changeCost, textSize: added.url.utf8.count, to: user)
    added = NotificationTarget(id: try await newID(), kind: added.kind, url: added.url, secret: added.secret)
    try await change { [store, user, added] in try await store.addNotificationTarget(added, of: user, checking: $0) }
    return AddedNotificationTarget(target: NotificationTargetInfo(added), madeSecret: madeSecret)
  }

  /// Returns an ID after those of the existing targets, also of one that was added in the same millisecond.
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

  public func testNotificationTarget(_ id: NotificationTargetID) async throws {
    try writeRate?.admit(Self.testCost, textSize: 0, to: user)
    let targets = try await store.notificationTargets(of: user)
    guard let target = targets.first(where: { $0.id == id }) else { throw ToDoError.notificationTargetNotFound(id) }
    try await tester.sendTest(to: target)
  }
}
