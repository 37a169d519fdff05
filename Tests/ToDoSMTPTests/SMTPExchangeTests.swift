import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoSMTP

/// The machine as a table: replies of a server, and the actions after each.
@Suite struct SMTPExchangeTests {
  private static let message = SMTPMessage(
    from: .todo, to: .ann, text: "Subject: Milk\r\n\r\n.dots\r\n..\r\nend")

  private func exchange(
    _ security: SMTPServer.Security, credentials: SMTPServer.Credentials? = nil
  ) -> SMTPExchange {
    SMTPExchange(Self.message, security: security, credentials: credentials)
  }

  private func send(_ line: String) -> SMTPExchange.Action { .send(Array("\(line)\r\n".utf8)) }

  private static func reply(_ code: Int, _ lines: String...) -> SMTPReply {
    SMTPReply(code: code, lines: lines.isEmpty ? [""] : lines)
  }

  private static let offer = SMTPReply(
    code: 250, lines: ["mail.example.org", "size 1000", "auth login plain", "starttls"])

  @Test func message_overStartTLS_isSentOnceEncrypted() throws {
    let credentials = SMTPServer.Credentials(name: "todo", password: "pässword")
    var exchange = exchange(.startTLS, credentials: credentials)
    #expect(exchange.received(Self.reply(220)) == [send("EHLO todo.example")])
    #expect(exchange.received(Self.offer) == [send("STARTTLS")])
    #expect(!exchange.isInHandshake)
    #expect(exchange.received(Self.reply(220)) == [.startTLS])
    #expect(exchange.isInHandshake)
    #expect(exchange.startedTLS() == [send("EHLO todo.example")])
    #expect(exchange.received(Self.offer) == [send("AUTH PLAIN AHRvZG8AcMOkc3N3b3Jk")])
    #expect(exchange.received(Self.reply(235)) == [send("MAIL FROM:<reminders@todo.example>")])
    #expect(exchange.received(Self.reply(250)) == [send("RCPT TO:<ann@example.org>")])
    #expect(exchange.received(Self.reply(250)) == [send("DATA")])
    #expect(exchange.received(Self.reply(354)) == [.send(Self.message.data)])
    #expect(exchange.received(Self.reply(250)) == [.finish(.accepted), send("QUIT")])
    #expect(exchange.received(Self.reply(221)) == [.close])
    #expect(exchange.disconnected("gone") == [])
  }

  @Test(arguments: [SMTPServer.Security.implicitTLS, .loopbackOnly])
  func message_withoutStartTLS_isSentAtOnce(_ security: SMTPServer.Security) {
    var exchange = exchange(security)
    #expect(exchange.received(Self.reply(220)) == [send("EHLO todo.example")])
    #expect(exchange.received(Self.offer) == [send("MAIL FROM:<reminders@todo.example>")])
    #expect(exchange.received(Self.reply(250)) == [send("RCPT TO:<ann@example.org>")])
    #expect(exchange.received(Self.reply(251)) == [send("DATA")])
  }

  @Test func serverWithoutStartTLS_getsNothing() {
    var exchange = exchange(.startTLS)
    _ = exchange.received(Self.reply(220))
    let reason = "the mail server does not offer STARTTLS, and nothing is sent without encryption"
    // Not an extension by that name.
    let reply = Self.reply(250, "STARTTLS", "STARTTLS2", "X STARTTLS")
    #expect(exchange.received(reply) == [.finish(.failed(reason)), send("QUIT")])
  }

  @Test(arguments: [["mail"], ["mail", "AUTH LOGIN"], ["mail", "PLAIN"]])
  func serverWithoutAuthPlain_getsNoPassword(_ lines: [String]) {
    var exchange = exchange(.implicitTLS, credentials: SMTPServer.Credentials(name: "todo", password: "p"))
    _ = exchange.received(Self.reply(220))
    let actions = exchange.received(SMTPReply(code: 250, lines: lines))
    #expect(actions == [.finish(.failed("the mail server does not offer AUTH PLAIN")), send("QUIT")])
  }

  /// A step, the number of usual replies before it, and whether a final refusal is one of the message.
  private static let steps: [(name: String, before: Int, isAboutMessage: Bool)] = [
    ("the greeting", 0, false), ("EHLO", 1, false), ("STARTTLS", 2, false), ("EHLO", 3, false), ("AUTH", 4, false),
    ("MAIL FROM", 5, true), ("RCPT TO", 6, true), ("DATA", 7, true), ("the message", 8, true),
  ]

  private static let usual = [
    reply(220), offer, reply(220), offer, reply(235), reply(250), reply(250), reply(354),
  ]

  @Test(arguments: steps.indices) func refusal_isFinalOnlyIfItIsAboutTheMessage(_ index: Int) {
    let step = Self.steps[index]
    for (code, isFinal) in [(421, false), (450, false), (500, true), (550, true), (559, true)] {
      var exchange = exchange(.startTLS, credentials: SMTPServer.Credentials(name: "todo", password: "p"))
      for reply in Self.usual.prefix(step.before) {
        _ = exchange.received(reply)
        if exchange.isInHandshake { _ = exchange.startedTLS() }
      }
      let reason = "the mail server answered \(step.name) with \(code) 5.1.1"
      let outcome: SMTPOutcome = isFinal && step.isAboutMessage ? .refused(reason) : .failed(reason)
      let reply = Self.reply(code, "5.1.1 <ann@example.org> is unknown")
      #expect(exchange.received(reply) == [.finish(outcome), send("QUIT")])
      #expect(exchange.received(Self.reply(221)) == [.close])
    }
  }

  @Test func unusualReplies_areFailures() {
    var exchange = exchange(.loopbackOnly)
    let reason = "the mail server answered the greeting with 250"
    #expect(exchange.received(Self.reply(250)) == [.finish(.failed(reason)), send("QUIT")])
  }

  @Test func bytesBeforeTLS_endTheConnection() {
    var exchange = exchange(.startTLS)
    for reply in Self.usual.prefix(3) { _ = exchange.received(reply) }
    let reason = "the mail server sent more than its reply to STARTTLS before encryption began"
    #expect(exchange.receivedBeforeTLS() == [.finish(.failed(reason)), .close])
    #expect(exchange.received(Self.reply(250)) == [])
  }

  @Test func replyDuringHandshake_endsTheConnection() {
    var exchange = exchange(.startTLS)
    for reply in Self.usual.prefix(3) { _ = exchange.received(reply) }
    let reason = "the mail server sent a reply that no command asked for"
    #expect(exchange.received(Self.reply(250)) == [.finish(.failed(reason)), .close])
  }

  @Test func brokenConnections_areFailures() {
    var (late, broken, odd) = (exchange(.loopbackOnly), exchange(.loopbackOnly), exchange(.loopbackOnly))
    #expect(late.timedOut() == [.finish(.failed("the mail server did not respond in time")), .close])
    #expect(broken.disconnected("gone") == [.finish(.failed("gone")), .close])
    #expect(odd.receivedMalformedReply() == [.finish(.failed("the mail server's reply is not SMTP")), .close])
    #expect(late.timedOut() == [])
  }

  @Test func goodbye_thatIsNotAnswered_onlyCloses() {
    var exchange = exchange(.loopbackOnly)
    for reply in [Self.reply(220), Self.offer, Self.reply(250), Self.reply(250), Self.reply(354), Self.reply(250)] {
      _ = exchange.received(reply)
    }
    #expect(exchange.timedOut() == [.close])
  }

  @Test(arguments: [
    ("", ".\r\n"), ("a", "a\r\n.\r\n"), ("a\r\n", "a\r\n.\r\n"), (".", "..\r\n.\r\n"),
    ("..a\r\n.b", "...a\r\n..b\r\n.\r\n"),
    ("a\n.\nb", "a\r\n..\r\nb\r\n.\r\n"), ("a\r.\rb", "a\r\n..\r\nb\r\n.\r\n"),
    ("a\r\n.\r\nMAIL FROM:<x>", "a\r\n..\r\nMAIL FROM:<x>\r\n.\r\n"),
    ("\r\r\n\n", "\r\n\r\n\r\n.\r\n"), ("a.b", "a.b\r\n.\r\n"),
  ])
  func data_endsLinesAndStuffsDots(_ text: String, _ data: String) {
    #expect(SMTPMessage(from: .todo, to: .ann, text: text).data == Array(data.utf8))
  }
}

extension EmailAddress {
  static let (todo, ann) = (sample("reminders@todo.example"), sample("ann@example.org"))

  private static func sample(_ text: String) -> EmailAddress {
    guard let address = EmailAddress(text) else { preconditionFailure("\(text) is invalid") }
    return address
  }
}
