#if Nominatim
import Testing
import ToDoModel
import ToDoRules
import ToDoSMTP
import ToDoTestSMTP
import ToDoTestSupport

@testable import ToDoNotifications

/// Messages to a real mail server on the loopback interface.
@Suite(.timeLimited) struct EmailNotificationSenderTests {
  private let clock = ManualClock()
  private let message = NotificationMessage(id: "m1", time: Timestamp(microseconds: 0), content: .test)
  private let target = NotificationTarget(kind: .email, url: "mailto:ann@example.org")

  private func sender(_ server: LocalSMTPServer) throws -> EmailNotificationSender {
    let address = try #require(EmailAddress("reminders@todo.example"))
    let client = try SMTPClient(SMTPServer(host: "127.0.0.1", port: server.port, security: .loopbackOnly))
    return EmailNotificationSender(client, from: address, clock: clock)
  }

  @Test func email_isSentToItsAddress() async throws {
    try await LocalSMTPServer.with { server async throws in
      #expect(try await sender(server).send(message, to: target) == .delivered)
      let email = try #require(server.messages.first)
      #expect((email.sender, email.recipient) == ("<reminders@todo.example>", "<ann@example.org>"))
      #expect(email.header("Subject") == "Test of todo")
      #expect(email.header("Message-ID") == "<m1@todo.example>")
      #expect(email.body == "Test of todo\r\n\r\nReminders will arrive here.\r\n")
    }
  }

  @Test func address_thatIsNotConfirmed_getsOnlyItsCode() async throws {
    try await LocalSMTPServer.with { server async throws in
      let sender = try sender(server)
      var unconfirmed = target
      unconfirmed.secret = EmailConfirmation(code: "0123456789", expiry: Timestamp(microseconds: .max)).secret
      #expect(await sender.send(message, to: unconfirmed) == .refused("the address is not confirmed"))
      #expect(server.commands.isEmpty)
      try await sender.sendConfirmation(code: "0123456789", to: unconfirmed)
      #expect(server.messages.map(\.recipient) == ["<ann@example.org>"])
      #expect(server.messages.first?.body.contains("todo notify confirm NUMBER 0123456789\r\n") == true)
    }
  }

  @Test(arguments: [("550 5.1.1 <ann@example.org> is unknown", true), ("451 4.7.1 <ann@example.org> later", false)])
  func refusal_isToldWithoutTheAddress(_ reply: String, _ isFinal: Bool) async throws {
    var behavior = LocalSMTPServer.Behavior()
    behavior.replies = ["RCPT": reply]
    try await LocalSMTPServer.with(behavior) { server async throws in
      let sender = try sender(server)
      let reason = "the mail server answered RCPT TO with \(reply.prefix(9))"
      #expect(await sender.send(message, to: target) == (isFinal ? .refused(reason) : .failed(reason)))
      await #expect(throws: ToDoError.notificationFailed(detail: reason)) {
        try await sender.sendConfirmation(code: "0123456789", to: target)
      }
    }
  }

  @Test func attempt_whenServerStalls_failsAtTheLimit() async throws {
    var behavior = LocalSMTPServer.Behavior()
    behavior.replies = ["EHLO": ""]
    try await LocalSMTPServer.with(behavior) { server async throws in
      let (sender, target, message) = (try sender(server), target, message)
      let task = Task { await sender.send(message, to: target) }
      await server.waitForCommand("EHLO todo.example")
      await clock.waitForSleepers()
      clock.advance(by: .seconds(25))
      #expect(await task.value == .failed("the mail server did not respond in time"))
    }
  }

  @Test func invalidTarget_isRefused() async throws {
    try await LocalSMTPServer.with { server async throws in
      let invalid = NotificationTarget(kind: .email, url: "mailto:ann\r\n@example.org")
      #expect(try await sender(server).send(message, to: invalid) == .refused("the target is invalid"))
      await #expect(throws: ToDoError.notificationFailed(detail: "the target is invalid")) {
        try await sender(server).sendConfirmation(code: "0123456789", to: invalid)
      }
    }
  }

  @Test func kinds_haveTheirSenders() async {
    let (web, email) = (StubSender(), StubSender())
    email.setOutcome { _ in .failed("email") }
    let ntfy = NotificationTarget(kind: .ntfy, url: "https://ntfy.sh/a")
    let both = KindNotificationSender(web: web, email: email)
    #expect(await both.send(message, to: target) == .failed("email"))
    #expect(await both.send(message, to: ntfy) == .delivered)
    #expect((web.sent.map(\.target), email.sent.map(\.target)) == ([ntfy], [target]))
    let without = KindNotificationSender(web: web, email: nil)
    #expect(await without.send(message, to: target) == .refused("this server sends no email"))
    await #expect(throws: ToDoError.notificationFailed(detail: "email")) { try await both.sendTest(to: target) }
  }
}
#endif
