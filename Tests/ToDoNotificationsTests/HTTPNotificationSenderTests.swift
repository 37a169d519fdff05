#if Nominatim
import NIOHTTP1
import Testing
import ToDoHTTP
import ToDoModel
import ToDoRules
import ToDoTestHTTP
import ToDoTestSupport

@testable import ToDoNotifications

/// Messages to a real server on the loopback interface.
@Suite(.timeLimited) struct HTTPNotificationSenderTests {
  private let clock = ManualClock()
  private let message = NotificationMessage(id: "m1", time: Timestamp(microseconds: 0), content: .test)

  private func sender(_ policy: AddressPolicy = .any) -> HTTPNotificationSender {
    let client = NIOHTTPFetcher(
      userAgent: "todo-server/1.0", limits: .init(connectTimeout: .seconds(5), bodySize: 4_096))
    return HTTPNotificationSender(
      client: client, policy: policy, clock: clock, wallClock: TestClock(), timeZones: TimeZoneFiles())
  }

  private func ntfy(_ server: LocalHTTPServer, secret: String? = nil) -> NotificationTarget {
    NotificationTarget(kind: .ntfy, url: "\(server.url)/secret-topic", secret: secret)
  }

  @Test func ntfy_receivesOneRequest() async throws {
    try await LocalHTTPServer.with { _, _ in
      .response()
    } _: { server async throws in
      #expect(await sender().send(message, to: ntfy(server, secret: "tk_1")) == .delivered)
      let head = try #require(server.requests.first)
      #expect((head.method, head.uri) == (.POST, "/secret-topic"))
      #expect(head.headers["Title"] == ["Test of todo"] && head.headers["Authorization"] == ["Bearer tk_1"])
      #expect(server.bodies == [Array("Reminders will arrive here.".utf8)])
      #expect(server.requests.count == 1)
    }
  }

  @Test func webhook_receivesSignedRequest() async throws {
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    try await LocalHTTPServer.with { _, _ in
      .response(status: 204)
    } _: { server async throws in
      let target = NotificationTarget(kind: .webhook, url: "\(server.url)/hook", secret: secret)
      #expect(await sender().send(message, to: target) == .delivered)
      let (headers, body) = (try #require(server.requests.first).headers, try #require(server.bodies.first))
      let seconds = try #require(headers["webhook-timestamp"].first.flatMap { Int64($0) })
      let signature = WebhookSignature(secret: secret, id: "m1", seconds: seconds, body: body)
      #expect(headers["webhook-signature"] == [try #require(signature).description])
      #expect(headers["webhook-id"] == ["m1"] && headers["Content-Type"] == ["application/json"])
    }
  }

  @Test(arguments: [
    (200, DeliveryOutcome.delivered), (204, .delivered), (408, .failed("the target answered with HTTP status 408")),
    (429, .failed("the target answered with HTTP status 429")),
    (500, .failed("the target answered with HTTP status 500")),
    (599, .failed("the target answered with HTTP status 599")),
    (400, .refused("the target answered with HTTP status 400")),
    (404, .refused("the target answered with HTTP status 404")),
    (301, .refused("the server redirects (HTTP status 301); use the URL to which it does")),
  ])
  func status_decidesOutcome(_ status: Int, _ outcome: DeliveryOutcome) async throws {
    try await LocalHTTPServer.with { _, _ in
      .response(status: status, headers: ["Location: http://127.0.0.1:1/"])
    } _: { server async throws in
      #expect(await sender().send(message, to: ntfy(server)) == outcome)
      #expect(server.requests.count == 1)
    }
  }

  @Test func privateAddress_isRefused() async throws {
    try await LocalHTTPServer.with { _, _ in
      .response()
    } _: { server async throws in
      let refusal = DeliveryOutcome.refused("the address is not public, or the port is not permitted")
      #expect(await sender(.publicOnly).send(message, to: ntfy(server)) == refusal)
      let named = NotificationTarget(kind: .ntfy, url: server.url.replacing("127.0.0.1", with: "localhost") + "/t")
      #expect(await sender(.publicOnly).send(message, to: named) == refusal)
      let port = NotificationTarget(kind: .ntfy, url: "http://127.0.0.1:25/t")
      #expect(await sender(.publicOnly).send(message, to: port) == refusal)
      #expect(server.requests.isEmpty)
    }
  }

  @Test func attempt_whenServerStalls_failsAtTheLimit() async throws {
    try await LocalHTTPServer.with { _, _ in
      .stall()
    } _: { server async throws in
      let (sender, target, message) = (sender(), ntfy(server), message)
      let task = Task { await sender.send(message, to: target) }
      await server.waitForRequests()
      await clock.waitForSleepers()
      clock.advance(by: .seconds(10))
      #expect(await task.value == .failed("the server did not respond in time"))
    }
  }

  @Test func target_whenUnreachableOrInvalid_isToldWithoutSecrets() async {
    let unreachable = NotificationTarget(kind: .ntfy, url: "http://127.0.0.1:1/secret-topic", secret: "tk_1")
    #expect(await sender().send(message, to: unreachable) == .failed("Connection refused"))
    let invalid = NotificationTarget(kind: .ntfy, url: "nowhere/secret-topic")
    #expect(await sender().send(message, to: invalid) == .refused("the URL is invalid"))
    let unsigned = NotificationTarget(kind: .webhook, url: "http://127.0.0.1:1/")
    #expect(await sender().send(message, to: unsigned) == .refused("the target is invalid"))
  }

  @Test func test_whenNotDelivered_throwsReason() async throws {
    try await LocalHTTPServer.with { request, _ in
      .response(status: request.uri == "/good" ? 200 : 403)
    } _: { server async throws in
      try await KindNotificationSender(web: sender(), email: nil).sendTest(
        to: NotificationTarget(kind: .ntfy, url: "\(server.url)/good"))
      await #expect(throws: ToDoError.notificationFailed(detail: "the target answered with HTTP status 403")) {
        try await KindNotificationSender(web: sender(), email: nil).sendTest(to: ntfy(server))
      }
    }
  }
}
#endif
