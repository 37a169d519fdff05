import FoundationEssentials
import ToDoModel

/// The client's side of one connection that sends one message: a state machine of replies and actions.
///
/// ```
/// greeting → EHLO → [STARTTLS → EHLO] → [AUTH PLAIN] → MAIL FROM → RCPT TO → DATA → text → QUIT
/// ```
///
/// Refusals of the recipient, the sender and the text that are final end the message. All other failures are about the server or
/// the settings, which an operator can correct: a later attempt can succeed.
struct SMTPExchange {
  /// An action that the connection has to take.
  enum Action: Equatable {
    /// Sends these bytes.
    case send([UInt8])
    /// Starts TLS, and then calls `startedTLS()`. Bytes that have arrived already are an attack: call `receivedBeforeTLS()`.
    case startTLS
    /// Reports the outcome. The connection may still say goodbye.
    case finish(SMTPOutcome)
    /// Closes the connection.
    case close
  }

  private enum State {
    case greeting, hello, startTLS, handshake, secureHello, authentication, sender, recipient, data, text, quit, closed
  }

  private let message: SMTPMessage
  private let security: SMTPServer.Security
  private let credentials: SMTPServer.Credentials?
  private var state = State.greeting

  /// Creates the exchange of a connection that is encrypted already if `security` is implicit TLS.
  init(_ message: SMTPMessage, security: SMTPServer.Security, credentials: SMTPServer.Credentials? = nil) {
    (self.message, self.security, self.credentials) = (message, security, credentials)
  }

  /// Whether TLS is being started.
  var isInHandshake: Bool { state == .handshake }

  /// Continues after a reply.
  mutating func received(_ reply: SMTPReply) -> [Action] {
    switch state {
    case .greeting: expect(reply, [220], of: "the greeting") { $0.next(.hello, $0.hello) }
    case .hello: expect(reply, [250], of: "EHLO") { $0.continueInPlainText(reply) }
    case .startTLS:
      expect(reply, [220], of: "STARTTLS") { exchange in
        exchange.state = .handshake
        return [.startTLS]
      }
    case .secureHello: expect(reply, [250], of: "EHLO") { $0.authenticate(reply) }
    case .authentication: expect(reply, [235], of: "AUTH") { $0.sendSender() }
    case .sender:
      expect(reply, [250], of: "MAIL FROM", isAboutMessage: true) {
        $0.next(.recipient, "RCPT TO:<\($0.message.recipient)>")
      }
    case .recipient:
      // 251 announces that the server forwards the message.
      expect(reply, [250, 251], of: "RCPT TO", isAboutMessage: true) { $0.next(.data, "DATA") }
    case .data:
      expect(reply, [354], of: "DATA", isAboutMessage: true) { exchange in
        exchange.state = .text
        return [.send(exchange.message.data)]
      }
    case .text: expect(reply, [250], of: "the message", isAboutMessage: true) { $0.end(.accepted) }
    case .quit: close()
    // No command was sent that this could answer.
    case .handshake, .closed: fail("the mail server sent a reply that no command asked for")
    }
  }

  /// Continues when TLS has been started.
  mutating func startedTLS() -> [Action] { next(.secureHello, hello) }

  /// Ends the exchange because bytes arrived between the reply to STARTTLS and the handshake. They are not encrypted, so anyone can
  /// have sent them.
  mutating func receivedBeforeTLS() -> [Action] {
    fail("the mail server sent more than its reply to STARTTLS before encryption began")
  }

  /// Ends the exchange because bytes are not a reply.
  mutating func receivedMalformedReply() -> [Action] { fail("the mail server's reply is not SMTP") }

  /// Ends the exchange because a reply takes too long.
  mutating func timedOut() -> [Action] { fail("the mail server did not respond in time") }

  /// Ends the exchange because the connection broke.
  mutating func disconnected(_ reason: String) -> [Action] { fail(reason) }

  /// The domain of the sender, which is the name that this client is known by.
  private var hello: String { "EHLO \(message.sender.domain)" }

  private mutating func next(_ state: State, _ command: String) -> [Action] {
    self.state = state
    return [.send(Array("\(command)\r\n".utf8))]
  }

  private mutating func continueInPlainText(_ reply: SMTPReply) -> [Action] {
    guard security == .startTLS else { return authenticate(reply) }
    guard reply.keywords.contains(["STARTTLS"]) else {
      return end(.failed("the mail server does not offer STARTTLS, and nothing is sent without encryption"))
    }
    return next(.startTLS, "STARTTLS")
  }

  private mutating func authenticate(_ reply: SMTPReply) -> [Action] {
    guard let credentials else { return sendSender() }
    guard reply.keywords.contains(where: { $0.first == "AUTH" && $0.dropFirst().contains("PLAIN") }) else {
      return end(.failed("the mail server does not offer AUTH PLAIN"))
    }
    let text = Data("\0\(credentials.name)\0\(credentials.password)".utf8).base64EncodedString()
    return next(.authentication, "AUTH PLAIN \(text)")
  }

  private mutating func sendSender() -> [Action] { next(.sender, "MAIL FROM:<\(message.sender)>") }

  /// Continues after a reply with one of these codes, and ends the exchange after any other one.
  ///
  /// - Parameter isAboutMessage: whether a final refusal is one of this message.
  private mutating func expect(
    _ reply: SMTPReply, _ codes: [Int], of step: String, isAboutMessage: Bool = false,
    _ proceed: (inout SMTPExchange) -> [Action]
  ) -> [Action] {
    guard !codes.contains(reply.code) else { return proceed(&self) }
    let reason = "the mail server answered \(step) with \(reply.summary)"
    return end(isAboutMessage && (500...559).contains(reply.code) ? .refused(reason) : .failed(reason))
  }

  /// Reports an outcome, and says goodbye.
  private mutating func end(_ outcome: SMTPOutcome) -> [Action] { [.finish(outcome)] + next(.quit, "QUIT") }

  /// Reports a failure of the connection, and closes it. After the outcome, only closes.
  private mutating func fail(_ reason: String) -> [Action] {
    let isFinished = state == .quit || state == .closed
    return (isFinished ? [] : [.finish(.failed(reason))]) + close()
  }

  private mutating func close() -> [Action] {
    defer { state = .closed }
    return state == .closed ? [] : [.close]
  }
}

extension SMTPReply {
  /// The words of each extension that the reply to EHLO names, in upper case.
  fileprivate var keywords: [[String]] {
    lines.dropFirst().map { line in line.split(separator: " ").map { $0.uppercased() } }
  }
}
