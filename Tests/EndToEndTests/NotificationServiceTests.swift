import Logging
import Synchronization
import Testing
import ToDoClient
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

/// The targets of notifications on a server, over both protocols.
@Suite(.timeLimited) struct NotificationServiceTests {
  /// Records test messages, and fails those to a host.
  private final class Tester: NotificationTester, ConfirmationSender {
    let sent = Mutex<[NotificationTarget]>([])
    let codes = Mutex<[String]>([])

    func sendConfirmation(code: String, to target: NotificationTarget) async throws {
      codes.withLock { $0.append(code) }
    }

    func sendTest(to target: NotificationTarget) async throws {
      sent.withLock { $0.append(target) }
      if target.redactedURL == "https://gone.example" {
        throw ToDoError.notificationFailed(detail: "the target answered 410")
      }
    }
  }

  private struct Bench {
    /// The users, cat with a token for reading only, and "" for a caller without credentials.
    let clients: [String: any NotificationService]
    let accounts: MemoryAccountStore
    let tester: Tester
    let log: LogText

    func client(_ name: String) throws -> any NotificationService { try #require(clients[name]) }
  }

  private func withBench(
    over transport: ListServiceTests.Transport, isOn: Bool = true,
    rate: WriteRateLimiter? = nil, _ body: @Sendable (Bench) async throws -> Void
  ) async throws {
    let (accounts, tester, log) = (MemoryAccountStore(), Tester(), LogText())
    let list = LocalToDoService(store: MemoryToDoItemStore())
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: OwnerID("shared"), unixUsers: []),
      notifications: isOn
        ? UserNotifications(
          accounts, tester: tester, writeRate: rate, confirmations: EmailConfirmations(sender: tester)) : nil
    ) { list.list(of: $0) }
    let tokens = try await accounts.addUsersWithTokens().merging(["": ""]) { token, _ in token }
    let logger = Logger(label: "test") { _ in log }
    let methods = MethodTable(
      serving: access, health: HealthMonitor(services: []), interceptors: [LoggingInterceptor(logger)])
    try await transport.withClients(of: methods, tokens) { clients in
      let clients = clients.mapValues { client -> any NotificationService in
        switch client {
        case .ttrpc(let client): client
        #if GRPC
        case .grpc(let client, let authorization): GRPCNotificationService(client: client, authorization: authorization)
        #endif
        }
      }
      try await body(Bench(clients: clients, accounts: accounts, tester: tester, log: log))
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func emailAddress_isConfirmed(over transport: ListServiceTests.Transport) async throws {
    try await withBench(over: transport) { bench in
      let ann = try bench.client("ann")
      let added = try await ann.addNotificationTarget(.init(kind: .email, url: "mailto:private@example.org")).target
      #expect(added.origin == "example.org" && added.needsConfirmation && !added.hasSecret)
      let codes = bench.tester.codes.withLock { $0 }
      let code = try #require(codes.first)
      let refusal = [FieldViolation("code", "is not the code that was sent to the address")]
      await #expect(throws: ToDoError.invalidRequest(refusal)) {
        try await ann.confirmNotificationTarget(added.id, code: "0")
      }
      await #expect(throws: ToDoError.readOnly) {
        try await bench.client("cat").confirmNotificationTarget(added.id, code: code)
      }
      try await ann.confirmNotificationTarget(added.id, code: code)
      #expect(try await ann.notificationTargets().map(\.needsConfirmation) == [false])
      #expect(bench.log.texts.allSatisfy { !$0.contains("private") && !$0.contains(code) })
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func target_isAddedListedTestedAndRemoved(over transport: ListServiceTests.Transport) async throws {
    try await withBench(over: transport) { bench in
      let (ann, bob) = (try bench.client("ann"), try bench.client("bob"))
      let ntfy = try await ann.addNotificationTarget(
        NewNotificationTarget(kind: .ntfy, url: "https://ntfy.example:8443/private", secret: "tk_private"))
      #expect(ntfy.madeSecret == nil)
      let hook = try await ann.addNotificationTarget(NewNotificationTarget(kind: .webhook, url: "http://[::1]/private"))
      let key = try #require(hook.madeSecret)
      #expect(WebhookKey(key)?.bytes.count == 32)
      let listed = try await ann.notificationTargets()
      #expect(listed == [ntfy.target, hook.target])
      #expect(listed.map(\.kind) == [.ntfy, .webhook])
      #expect(listed.map(\.origin) == ["https://ntfy.example:8443", "http://[::1]"])
      #expect(listed.map(\.hasSecret) == [true, true])
      #expect(try await bob.notificationTargets() == [])
      try await ann.testNotificationTarget(hook.target.id)
      #expect(
        bench.tester.sent.withLock(\.self)
          == [NotificationTarget(id: hook.target.id, kind: .webhook, url: "http://[::1]/private", secret: key)])
      for call in [bob.removeNotificationTarget, bob.testNotificationTarget] {
        await #expect(throws: ToDoError.notificationTargetNotFound(ntfy.target.id)) { try await call(ntfy.target.id) }
      }
      try await ann.removeNotificationTarget(ntfy.target.id)
      #expect(try await ann.notificationTargets() == [hook.target])
      await #expect(throws: ToDoError.notificationTargetNotFound(ntfy.target.id)) {
        try await ann.removeNotificationTarget(ntfy.target.id)
      }
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func invalidTarget_isRefusedByField(over transport: ListServiceTests.Transport) async throws {
    try await withBench(over: transport) { bench in
      let ann = try bench.client("ann")
      let target = NewNotificationTarget(kind: .ntfy, url: "ftp://host/private", secret: "private private")
      let error = await #expect(throws: ToDoError.self) { try await ann.addNotificationTarget(target) }
      guard case .invalidRequest(let violations)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(violations.map(\.field) == ["target.url", "target.secret"])
      #expect(violations.allSatisfy { !$0.reason.contains("private") })
      var valid = NewNotificationTarget(kind: .ntfy, url: "https://ntfy.example/t")
      _ = try await ann.addNotificationTarget(valid)
      valid.secret = "tk_1"
      await #expect(throws: ToDoError.invalidRequest([.existingTarget])) { try await ann.addNotificationTarget(valid) }
      for number in 2...8 {
        _ = try await ann.addNotificationTarget(
          NewNotificationTarget(kind: .ntfy, url: "https://ntfy.example/t\(number)"))
      }
      await #expect(throws: ToDoError.tooManyNotificationTargets(limit: 8)) {
        try await ann.addNotificationTarget(NewNotificationTarget(kind: .ntfy, url: "https://ntfy.example/t9"))
      }
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func everyMethod_isPermittedByCredentials(over transport: ListServiceTests.Transport) async throws {
    try await withBench(over: transport) { bench in
      let (cat, nobody) = (try bench.client("cat"), try bench.client(""))
      let target = NotificationTarget.sample(1)
      try await bench.accounts.addNotificationTarget(target, of: User.sample("cat").list)
      #expect(try await cat.notificationTargets() == [NotificationTargetInfo(target)])
      await expect(ToDoError.readOnly, ofChangesBy: cat)
      await expect(ToDoError.unauthenticated, ofChangesBy: nobody)
      await #expect(throws: ToDoError.unauthenticated) { try await nobody.notificationTargets() }
    }
  }

  private func expect(_ expected: ToDoError, ofChangesBy client: any NotificationService) async {
    await #expect(throws: expected) {
      try await client.addNotificationTarget(NewNotificationTarget(kind: .ntfy, url: "https://ntfy.example/t"))
    }
    await #expect(throws: expected) { try await client.removeNotificationTarget(.sample(1)) }
    await #expect(throws: expected) { try await client.testNotificationTarget(.sample(1)) }
  }

  /// A server without users gives every caller one list.
  @Test func everyMethod_whenCallerIsNoUser_isRefused() async throws {
    let accounts = MemoryAccountStore()
    let list = LocalToDoService(store: MemoryToDoItemStore())
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: .local, unixUsers: []),
      notifications: UserNotifications(accounts, tester: Tester())
    ) { list.list(of: $0) }
    let methods = MethodTable(serving: access, health: HealthMonitor(services: []))
    let reason = "must be those of a user of the server, because notifications belong to a user"
    let expected = ToDoError.invalidRequest([FieldViolation("credentials", reason)])
    try await TestServer.with(methods) { server in
      let client = server.client(TestClient.configuration())
      await expect(expected, ofChangesBy: client)
      await #expect(throws: expected) { try await client.notificationTargets() }
      await client.close()
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func everyMethod_whenNotificationsAreOff_saysSo(over transport: ListServiceTests.Transport) async throws {
    try await withBench(over: transport, isOn: false) { bench in
      let ann = try bench.client("ann")
      await expect(ToDoError.notificationsOff, ofChangesBy: ann)
      await #expect(throws: ToDoError.notificationsOff) { try await ann.notificationTargets() }
      let client = ann as? ToDoClient
      #expect(try await client?.info().capabilities.contains(.notifications) != true)
    }
  }

  @Test func capability_ofServerWithNotifications_isPresent() async throws {
    try await withBench(over: .ttrpc) { bench in
      let client = try #require(try bench.client("ann") as? ToDoClient)
      #expect(try await client.info().capabilities.contains(.notifications))
    }
  }

  @Test func changes_areLimitedByWriteRate() async throws {
    var limits = WriteRateLimiter.Limits()
    limits.items = WriteRateLimiter.Rate(perSecond: 1, burst: 51)
    let rate = WriteRateLimiter(limits) { .zero }
    try await withBench(over: .ttrpc, rate: rate) { bench in
      let ann = try bench.client("ann")
      // Counts as 50 items.
      let added = try await ann.addNotificationTarget(
        NewNotificationTarget(kind: .ntfy, url: "https://ntfy.example/t"))
      try await ann.testNotificationTarget(added.target.id)
      for call in [ann.testNotificationTarget, ann.removeNotificationTarget] {
        let error = await #expect(throws: ToDoError.self) { try await call(added.target.id) }
        guard case .writeRateExceeded? = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
      }
      #expect(bench.tester.sent.withLock(\.count) == 1)
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func log_containsNoCredential(over transport: ListServiceTests.Transport) async throws {
    try await withBench(over: transport) { bench in
      let ann = try bench.client("ann")
      let gone = NewNotificationTarget(kind: .ntfy, url: "https://gone.example/private", secret: "tk_private")
      let added = try await ann.addNotificationTarget(gone)
      await #expect(throws: ToDoError.notificationFailed(detail: "the target answered 410")) {
        try await ann.testNotificationTarget(added.target.id)
      }
      await #expect(throws: ToDoError.self) { try await ann.addNotificationTarget(gone) }
      let hook = try await ann.addNotificationTarget(NewNotificationTarget(kind: .webhook, url: "https://a/private"))
      let texts = bench.log.texts
      #expect(texts.contains { $0.contains("AddNotificationTarget") })
      #expect(texts.allSatisfy { !$0.contains("private") && !$0.contains("gone.example") })
      #expect(texts.allSatisfy { !$0.contains(hook.madeSecret ?? "whsec") })
    }
  }
}

extension FieldViolation {
  fileprivate static let existingTarget = FieldViolation("target.url", "is the URL of an existing target")
}

#if GRPC
/// The targets of a user behind a gRPC server, as generated code in another language sees them.
private struct GRPCNotificationService: NotificationService {
  let client: GRPCTestClient
  let authorization: String?

  private func call<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request
  ) async throws -> Response {
    let metadata = authorization.map { ["authorization": $0] } ?? [:]
    return try await ForeignToDoService(client: client, metadata: metadata).call(method, request)
  }

  func addNotificationTarget(_ target: NewNotificationTarget) async throws -> AddedNotificationTarget {
    try await call(NotificationMethods.addTarget, target)
  }

  func notificationTargets() async throws -> [NotificationTargetInfo] {
    try await call(NotificationMethods.listTargets, ())
  }

  func removeNotificationTarget(_ id: NotificationTargetID) async throws {
    try await call(NotificationMethods.removeTarget, id)
  }

  func confirmNotificationTarget(_ id: NotificationTargetID, code: String) async throws {
    try await call(NotificationMethods.confirmTarget, NotificationTargetCode(id: id, code: code))
  }

  func testNotificationTarget(_ id: NotificationTargetID) async throws {
    try await call(NotificationMethods.testTarget, id)
  }
}
#endif
