#if Nominatim
import Foundation
import NIOHTTP1
import Testing
import ToDoClient
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestHTTP
import ToDoTestSMTP
import ToDoTestServers
import ToDoTestSupport

#if PostgreSQL
import ToDoTestPostgreSQL
#endif

/// A server that sends reminders to a receiver on this machine.
@Suite(.timeLimited, .blocking) struct NotificationProcessTests {
  /// A database with the user ann, whose reminders go to a topic of the receiver.
  private struct Fixture {
    let store: String
    let log: String
    let token: String

    /// - Parameter store: the database; `nil` for a file in the directory.
    init(in directory: String, store: String? = nil) throws {
      self.store = store ?? "sqlite:\(directory)/items.sqlite"
      log = "\(directory)/log"
      #expect(try ProgramRun("todo-server", ["user", "add", "ann", "--store", self.store]).status == 0)
      let output = try ProgramRun("todo-server", ["token", "add", "ann", "--store", self.store]).output
      token = output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A database whose user has a target already.
    init(in directory: String, _ receiver: LocalHTTPServer) async throws {
      try self.init(in: directory)
      let accounts = try SQLiteAccountStore(path: "\(directory)/items.sqlite")
      let ann = try #require(try await accounts.accounts().users.first)
      let target = NotificationTarget(kind: .ntfy, url: "\(receiver.url)/secret-topic", secret: "tk_secret")
      try await accounts.addNotificationTarget(target, of: ann.list)
      accounts.close()
    }

    func client(of server: ServerProcess) -> ToDoClient {
      var configuration = TestClient.configuration()
      configuration.token = token
      return ToDoClient(endpoint: server.endpoints[0], configuration: configuration)
    }

    func serve(_ options: String...) throws -> ServerProcess {
      try ServerProcess(["serve", "--listen", "tcp://127.0.0.1:0", "--store", store] + options, logFile: log)
    }
  }

  private func add(_ title: String, secondsAgo: Int64, _ client: ToDoClient) async throws -> ToDoItem {
    let time = Timestamp(microseconds: SystemWallClock().now().microseconds - secondsAgo * 1_000_000)
    return try await client.addItem(
      NewItem(id: ItemID(), content: ItemContent(title: title, reminders: [Reminder(.time(time))])))
  }

  /// Waits until a reminder was sent and acknowledged.
  private func waitForAcknowledgment(of item: ToDoItem, _ client: ToDoClient) async throws {
    let watch = Subscription(client.watch(from: .snapshot, state: .all))
    func isAcknowledged(_ item: ToDoItem) -> Bool {
      item.reminders.allSatisfy { $0.acknowledged != nil && $0.snoozedUntil == nil }
    }
    while let event = try await watch.next() {
      switch event {
      case .snapshotPage(let page):
        if page.contains(where: { $0.id == item.id && isAcknowledged($0) }) { return }
      case .changes(let set):
        for case .put(let changed, _) in set.changes where changed.id == item.id && isAcknowledged(changed) { return }
      default: continue
      }
    }
  }

  @Test func dueReminder_isSentOnce_alsoOverARestart() async throws {
    try await withTemporaryDirectory { directory in
      try await LocalHTTPServer.with { _, _ in
        .response()
      } _: { receiver async throws in
        let fixture = try await Fixture(in: directory, receiver)
        for (title, count) in [("Milk", 1), ("Bread", 2)] {
          let server = try fixture.serve("--notify", "--notify-private")
          let client = fixture.client(of: server)
          let item = try await add(title, secondsAgo: 0, client)
          try await waitForAcknowledgment(of: item, client)
          #expect(receiver.requests.count == count)
          await client.close()
          #expect(server.terminate() == 0)
        }
        #expect(receiver.requests.map { $0.headers["Title"] } == [["Milk"], ["Bread"]])
        #expect(receiver.requests.allSatisfy { $0.uri == "/secret-topic" && $0.method == .POST })
      }
    }
  }

  /// The stores that several servers can share.
  private static let sharedStores: [String?] = {
    #if PostgreSQL
    [nil, "postgresql"]
    #else
    [nil]
    #endif
  }()

  private func makeStore(_ kind: String?) throws -> String? {
    #if PostgreSQL
    if kind != nil { return try PrivatePostgreSQL.run().makeDatabase() }
    #endif
    return nil
  }

  @Test(arguments: sharedStores) func dueReminders_ofTwoServers_areSentOnce(_ kind: String?) async throws {
    try await withTemporaryDirectory { directory in
      try await LocalHTTPServer.with { _, _ in
        .response()
      } _: { receiver async throws in
        let fixture = try Fixture(in: directory, store: try makeStore(kind))
        let servers = try [
          fixture.serve("--notify", "--notify-private"), fixture.serve("--notify", "--notify-private"),
        ]
        let client = fixture.client(of: servers[0])
        _ = try await client.addNotificationTarget(.init(kind: .ntfy, url: "\(receiver.url)/topic"))
        var items: [ToDoItem] = []
        // Both servers know all items before the first one is due, or learn of them while others are.
        for number in 1...20 { items.append(try await add("\(number)", secondsAgo: -2, client)) }
        for item in items { try await waitForAcknowledgment(of: item, client) }
        try await waitForAcknowledgment(of: try await add("last", secondsAgo: 0, client), client)
        let titles = receiver.requests.flatMap { $0.headers["Title"] }
        #expect(titles.sorted() == ((1...20).map { "\($0)" } + ["last"]).sorted())
        await client.close()
        for server in servers { #expect(server.terminate() == 0) }
      }
    }
  }

  @Test func privateAddress_isRefusedByDefault_andLoggedWithoutSecrets() async throws {
    try await withTemporaryDirectory { directory in
      try await LocalHTTPServer.with { _, _ in
        .response()
      } _: { receiver async throws in
        let fixture = try await Fixture(in: directory, receiver)
        let server = try fixture.serve("--notify")
        let client = fixture.client(of: server)
        // Refused for good, so it is acknowledged.
        try await waitForAcknowledgment(of: try await add("SECRET-TITLE", secondsAgo: 0, client), client)
        await client.close()
        #expect(server.terminate() == 0)
        #expect(receiver.requests.isEmpty)
        let log = try String(contentsOfFile: fixture.log, encoding: .utf8)
        #expect(log.contains("a reminder was not delivered to ntfy \(receiver.url)"), "\(log)")
        for secret in ["secret-topic", "tk_secret", "SECRET-TITLE"] { #expect(!log.contains(secret)) }
      }
    }
  }

  @Test func reminder_isSentByEmail_afterTheAddressIsConfirmed() async throws {
    try await withTemporaryDirectory { directory in
      try await LocalSMTPServer.with { mail async throws in
        let fixture = try Fixture(in: directory)
        let password = "\(directory)/password"
        try Data("PASSWORD".utf8).write(to: URL(filePath: password))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: password)
        let server = try fixture.serve(
          "--notify", "--smtp", "smtp://127.0.0.1:\(mail.port)", "--smtp-from", "todo@todo.example", "--smtp-user",
          "todo",
          "--smtp-password-file", password)
        let client = fixture.client(of: server)
        let target = try await client.addNotificationTarget(.init(kind: .email, url: "mailto:private@example.org"))
          .target
        #expect(target.needsConfirmation && target.origin == "example.org")
        let body = try #require(mail.messages.first).body
        let code = try #require(body.firstMatch(of: /confirm NUMBER ([0-9A-Z]{10})/)).1
        try await client.confirmNotificationTarget(target.id, code: String(code))
        let item = try await add("SECRET-TITLE", secondsAgo: 0, client)
        try await waitForAcknowledgment(of: item, client)
        #expect(mail.messages.map(\.recipient) == ["<private@example.org>", "<private@example.org>"])
        #expect(mail.messages.map(\.credentials) == [["todo", "PASSWORD"], ["todo", "PASSWORD"]])
        #expect(mail.messages.last?.header("Subject") == "SECRET-TITLE")
        await client.close()
        #expect(server.terminate() == 0)
        let log = try String(contentsOfFile: fixture.log, encoding: .utf8)
        for secret in ["private", "PASSWORD", String(code), "SECRET-TITLE"] { #expect(!log.contains(secret), "\(log)") }
      }
    }
  }

  @Test func user_addsAndTestsTarget_ifServerSendsReminders() async throws {
    try await withTemporaryDirectory { directory in
      try await LocalHTTPServer.with { request, _ in
        .response(status: request.uri == "/hook" ? 200 : 404)
      } _: { receiver async throws in
        let fixture = try await Fixture(in: directory, receiver)
        let silent = try fixture.serve()
        let offline = fixture.client(of: silent)
        #expect(try await !offline.info().capabilities.contains(.notifications))
        await #expect(throws: ToDoError.notificationsOff) { try await offline.notificationTargets() }
        await offline.close()
        #expect(silent.terminate() == 0)

        let server = try fixture.serve("--notify", "--notify-private")
        let client = fixture.client(of: server)
        #expect(try await client.info().capabilities.contains(.notifications))
        let topic = try #require(try await client.notificationTargets().first)
        let failure = ToDoError.notificationFailed(detail: "the target answered with HTTP status 404")
        await #expect(throws: failure) { try await client.testNotificationTarget(topic.id) }
        let hook = NewNotificationTarget(kind: .webhook, url: "\(receiver.url)/hook")
        let added = try await client.addNotificationTarget(hook)
        #expect(added.madeSecret != nil)
        try await client.testNotificationTarget(added.target.id)
        #expect(receiver.requests.map(\.uri) == ["/secret-topic", "/hook"])
        #expect(receiver.requests.last?.headers["webhook-signature"].first?.hasPrefix("v1,") == true)
        await client.close()
        #expect(server.terminate() == 0)
      }
    }
  }
}
#endif
